import LegacyAPI
import PushModel
import Testing
import XMPPWire

@testable import XMPPAPI

@Suite struct `Session of an app server` {
    private func loggedIn(maximumPending: Int = 100) -> SessionRun {
        var run = SessionRun(maximumPending: maximumPending)
        run.logIn()
        return run
    }

    static let questions: [(name: String, text: String, answer: String)] = [
        ("ping", "<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>", "<iq type=\"result\" id=\"1\"/>"),
        (
            "ping to the server",
            "<iq type='get' id='1' to='gcm.googleapis.com' from='me'><ping xmlns='urn:xmpp:ping'/></iq>",
            "<iq type=\"result\" id=\"1\" from=\"gcm.googleapis.com\" to=\"me\"/>"
        ),
        (
            "roster", "<iq type='get' id='1'><query xmlns='jabber:iq:roster'/></iq>",
            "<iq type=\"result\" id=\"1\"><query xmlns=\"jabber:iq:roster\"/></iq>"
        ),
        (
            "anything else", "<iq type='get' id='1'><query xmlns='jabber:iq:version'/></iq>",
            "<iq type=\"error\" id=\"1\"><error type=\"cancel\">"
                + "<service-unavailable xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></iq>"
        ),
        (
            "a second resource", "<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
            "<iq type=\"error\" id=\"1\"><error type=\"cancel\">"
                + "<not-allowed xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></error></iq>"
        ),
        ("an answer", "<iq type='result' id='1'/>", ""),
        ("an error", "<iq type='error' id='1'><error/></iq>", ""),
        ("presence", "<presence/><presence type='unavailable'/>", ""),
        ("white space", " \n ", ""),
        ("an error message", "<message type='error'/>", ""),
        (
            "stream management", "<enable xmlns='urn:xmpp:sm:3'/>",
            "<failed xmlns=\"urn:xmpp:sm:3\"><unexpected-request xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/></failed>"
        ),
        ("the end", "</stream:stream>", "</stream:stream>"),
    ]

    @Test(arguments: questions.indices) func `answers`(row: Int) {
        let row = Self.questions[row]
        var run = loggedIn()
        #expect(run.receive(row.text) == row.answer, "\(row.name)")
    }

    @Test func `answers messages in their order`() {
        var run = loggedIn()
        #expect(run.receive(SessionRun.downstream(1) + SessionRun.downstream(2) + SessionRun.downstream(3)) == "")
        #expect(run.others.count == 3)
        #expect(run.answer(1) == "")
        #expect(run.answer(2, .failed(.notRegistered, detail: "gone")) == "")
        let answers = run.answer(0).replacing("<message>", with: "\n").split(separator: "\n")
        #expect(answers.count == 3)
        for (number, answer) in answers.enumerated() { #expect(answer.contains("\"m\(number + 1)\"")) }
        #expect(answers.last?.contains("DEVICE_UNREGISTERED") == true)
    }

    @Test func `answers what is refused at once in its turn, too`() {
        var run = loggedIn()
        #expect(run.receive(SessionRun.downstream(1) + SessionRun.message("{}", id: "s")) == "")
        #expect(run.answer(0).hasSuffix("</text></error></message>"))
    }

    @Test func `reads no further while a hundred messages wait, but takes acknowledgements`() {
        var run = loggedIn(maximumPending: 2)
        let ack = SessionRun.message("{\"message_type\":\"ack\",\"message_id\":\"u\",\"to\":\"t\"}")
        _ = run.receive(SessionRun.downstream(1) + SessionRun.downstream(2) + ack)
        #expect(run.others.count == 3)
        #expect(!run.session.isBusy)
        _ = run.receive(SessionRun.downstream(3) + SessionRun.downstream(4) + SessionRun.message("{}", id: "s"))
        #expect(run.others.count == 3)
        #expect(run.session.isBusy)
        #expect(run.reader.unreadBytes > 0)
        #expect(run.answer(0).contains("m1"))
        #expect(run.others.count == 4)
        #expect(run.session.isBusy)
        for slot in 1...3 { #expect(run.answer(slot).contains("m\(slot + 1)")) }
        #expect(run.others.count == 5)
        #expect(!run.session.isBusy)
    }

    @Test func `passes acknowledgements on`() {
        var run = loggedIn()
        #expect(
            run.receive(SessionRun.message("{\"to\":\"t\",\"message_id\":\"u-12\",\"message_type\":\"ack\"}")) == "")
        #expect(
            run.others == [.acknowledge(messageID: "u-12", sender: "t", SessionRun.project.number)])
    }

    @Test func `answers what was accepted before it ends with an error, XMP-09`() {
        var run = loggedIn()
        #expect(run.receive(SessionRun.downstream(1) + SessionRun.message("Fish & chips")) == "")
        let end = run.answer(0)
        #expect(end.contains("\"m1\""))
        #expect(end.contains("<not-well-formed xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\"/>"))
        #expect(end.hasSuffix("</stream:error></stream:stream>"))
    }

    @Test func `answers what was accepted before it ends as asked`() {
        var run = loggedIn()
        #expect(run.receive(SessionRun.downstream(1) + "</stream:stream>") == "")
        #expect(run.answer(0).hasSuffix("</message></stream:stream>"))
        #expect(run.session.hasEnded)
    }

    @Test func `refuses messages once it drains, and nothing else`() {
        var run = loggedIn()
        _ = run.receive(SessionRun.downstream(1))
        let notice = run.perform(run.session.drain())
        #expect(
            notice == "<message><gcm xmlns=\"google:mobile:data\">"
                + "{\"message_type\":\"control\",\"control_type\":\"CONNECTION_DRAINING\"}</gcm></message>")
        #expect(run.others.last == .stopDelivering(SessionRun.project.number))
        #expect(run.receive(SessionRun.downstream(2)) == "", "in its turn")
        let answers = run.answer(0)
        #expect(answers.contains("\"message_type\":\"ack\""))
        #expect(answers.contains("\"error\":\"CONNECTION_DRAINING\""))
        _ = run.receive(SessionRun.message("{\"to\":\"t\",\"message_id\":\"u\",\"message_type\":\"ack\"}"))
        #expect(run.others.last == .acknowledge(messageID: "u", sender: "t", SessionRun.project.number))
        #expect(run.perform(run.session.drain()) == "", "told once")
        #expect(run.perform(run.session.end(with: nil)) == "</stream:stream>")
    }

    @Test func `shows those who are not logged in the door when it drains`() {
        var run = SessionRun()
        _ = run.receive(SessionRun.opening)
        #expect(run.perform(run.session.drain()).contains("<system-shutdown "))
        #expect(run.session.hasEnded)
    }

    @Test func `asks for a sign of life`() {
        var run = loggedIn()
        #expect(
            run.perform(run.session.ping())
                == "<iq type=\"get\" id=\"new\" from=\"gcm.googleapis.com\"><ping xmlns=\"urn:xmpp:ping\"/></iq>")
        #expect(
            run.perform(run.session.abandon(with: XMPPStreamError(.connectionTimeout))).contains("connection-timeout"))
    }
}
