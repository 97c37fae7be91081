import Testing
import XMPPWire

@testable import XMPPAPI

@Suite struct `Login of an app server` {
    static let mechanisms =
        "<stream:features><mechanisms xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\"><mechanism>X-OAUTH2</mechanism>"
        + "<mechanism>PLAIN</mechanism></mechanisms></stream:features>"
    static let binding =
        "<stream:features><bind xmlns=\"urn:ietf:params:xml:ns:xmpp-bind\"/>"
        + "<session xmlns=\"urn:ietf:params:xml:ns:xmpp-session\"/></stream:features>"
    static let success = "<success xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\"/>"

    static func failure(_ condition: String) -> String {
        "<failure xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\"><\(condition)/></failure>"
    }

    static func streamError(_ condition: String) -> String {
        "<stream:error><\(condition) xmlns=\"urn:ietf:params:xml:ns:xmpp-streams\"/>"
    }

    @Test func `takes two streams, a resource and a session`() {
        var run = SessionRun()
        #expect(run.receive(SessionRun.opening) == SessionRun.openingAnswer + Self.mechanisms)
        #expect(run.receive(SessionRun.auth("key")) == Self.success)
        #expect(run.receive(SessionRun.opening) == SessionRun.openingAnswer + Self.binding)
        let bind =
            "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>r&amp;d</resource></bind></iq>"
        #expect(
            run.receive(bind)
                == "<iq type=\"result\" id=\"b\"><bind xmlns=\"urn:ietf:params:xml:ns:xmpp-bind\">"
                + "<jid>123456789012@gcm.googleapis.com/r&amp;d</jid></bind></iq>")
        #expect(run.others == [.bound(SessionRun.project)])
        let session = "<iq type='set' id='s'><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>"
        #expect(run.receive(session) == "<iq type=\"result\" id=\"s\"/>")
    }

    @Test func `may come in one piece`() {
        var run = SessionRun()
        let answer = run.receive(SessionRun.opening + SessionRun.auth("key") + SessionRun.opening)
        #expect(
            answer == SessionRun.openingAnswer + Self.mechanisms + Self.success + SessionRun.openingAnswer
                + Self.binding)
    }

    @Test(
        arguments: [
            SessionRun.auth("key", name: "123456789012@gcm.googleapis.com"),
            SessionRun.auth("key", name: "123456789012@FCM.googleapis.com"),
            SessionRun.auth("key", as: "123456789012"),
            SessionRun.auth("key", name: "123456789012@fcm.googleapis.com", as: "123456789012@gcm.googleapis.com"),
            SessionRun.auth("key", mechanism: "X-OAUTH2"),
        ])
    func `takes the sender id with and without a domain`(auth: String) {
        var run = SessionRun()
        _ = run.receive(SessionRun.opening)
        #expect(run.receive(auth) == Self.success)
    }

    static let refused: [(name: String, auth: String, condition: String)] = [
        ("a wrong key", SessionRun.auth("wrong"), "not-authorized"),
        ("the key of another sender", SessionRun.auth("key", name: "210987654321"), "not-authorized"),
        ("another domain", SessionRun.auth("key", name: "123456789012@example.com"), "not-authorized"),
        ("no number", SessionRun.auth("key", name: "me"), "not-authorized"),
        ("somebody to act for", SessionRun.auth("key", as: "210987654321"), "not-authorized"),
        ("no key", SessionRun.auth(""), "not-authorized"),
        ("no base64", "<auth mechanism='PLAIN' xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>!</auth>", "not-authorized"),
        ("two parts", "<auth mechanism='PLAIN' xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>YQBi</auth>", "not-authorized"),
        ("another mechanism", SessionRun.auth("key", mechanism: "SCRAM-SHA-1"), "invalid-mechanism"),
        ("no mechanism", "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>YQ==</auth>", "invalid-mechanism"),
        ("a change of mind", "<abort xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>", "aborted"),
        (
            "a response to nothing", "<response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>YQ==</response>",
            "malformed-request"
        ),
    ]

    @Test(arguments: refused.indices) func `refuses`(row: Int) {
        let row = Self.refused[row]
        var run = SessionRun()
        _ = run.receive(SessionRun.opening)
        #expect(run.receive(row.auth) == Self.failure(row.condition), "\(row.name)")
        #expect(run.receive(SessionRun.auth("key")) == Self.success, "\(row.name): another try is allowed")
    }

    @Test func `ends after three wrong tries`() {
        var run = SessionRun()
        _ = run.receive(SessionRun.opening)
        for _ in 1...2 { #expect(run.receive(SessionRun.auth("wrong")) == Self.failure("not-authorized")) }
        let last = run.receive(SessionRun.auth("wrong"))
        #expect(last.hasPrefix(Self.failure("not-authorized") + Self.streamError("policy-violation")))
        #expect(last.hasSuffix("</stream:error></stream:stream>"))
        #expect(run.receive(SessionRun.auth("key")) == "")
    }

    @Test func `can leave the credentials for a second step`() {
        var run = SessionRun()
        _ = run.receive(SessionRun.opening)
        let auth = "<auth mechanism='PLAIN' xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
        #expect(run.receive(auth) == "<challenge xmlns=\"urn:ietf:params:xml:ns:xmpp-sasl\"/>")
        let response = SessionRun.auth("key").replacing("<auth mechanism='PLAIN'", with: "<response")
            .replacing("</auth>", with: "</response>")
        #expect(run.receive(response) == Self.success)
    }

    @Test func `gives a resource to those who want none`() {
        var run = SessionRun()
        _ = run.receive(SessionRun.opening + SessionRun.auth("key") + SessionRun.opening)
        let answer = run.receive("<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        #expect(answer.contains("<jid>123456789012@gcm.googleapis.com/new</jid>"))
    }

    @Test func `is refused when the sender has too many connections`() {
        var run = SessionRun(admits: false)
        _ = run.receive(SessionRun.opening + SessionRun.auth("key") + SessionRun.opening)
        let answer = run.receive("<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        #expect(answer.contains("<resource-constraint xmlns=\"urn:ietf:params:xml:ns:xmpp-stanzas\"/>"))
        #expect(run.others.isEmpty)
    }

    static let tooEarly: [(name: String, text: String, condition: String)] = [
        ("a message before the login", SessionRun.downstream(1), "not-authorized"),
        ("a query before the login", "<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>", "not-authorized"),
        ("TLS on top of TLS", "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", "not-authorized"),
        (
            "a message before the binding", SessionRun.auth("key") + SessionRun.opening + SessionRun.downstream(1),
            "not-authorized"
        ),
        ("entities", "<!-- -->", "restricted-xml"),
        ("what is no XML", "<a b></a>", "not-well-formed"),
    ]

    @Test(arguments: tooEarly.indices) func `ends with an error for`(row: Int) {
        let row = Self.tooEarly[row]
        var run = SessionRun()
        let answer = run.receive(SessionRun.opening + row.text)
        #expect(answer.contains(Self.streamError(row.condition)), "\(row.name)")
        #expect(answer.hasSuffix("</stream:error></stream:stream>"), "\(row.name)")
    }

    @Test func `tells an error in a stream of its own when there was none yet`() {
        var run = SessionRun()
        let answer = run.receive("GET / HTTP/1.1\r\n\r\n")
        #expect(answer.hasPrefix("<?xml version=\"1.0\"?><stream:stream "))
        #expect(answer.contains(Self.streamError("not-well-formed")))
        #expect(answer.hasSuffix("</stream:stream>"))
    }

    @Test func `wants the namespace of clients`() {
        var run = SessionRun()
        let answer = run.receive(SessionRun.opening.replacing("jabber:client", with: "jabber:server"))
        #expect(answer.contains(Self.streamError("invalid-namespace")))
    }

    @Test func `ends with a stream that is closed at once, XMP-17`() {
        var run = SessionRun()
        #expect(
            run.receive(String(SessionRun.opening.dropLast()) + "/>")
                == SessionRun.openingAnswer + Self.mechanisms + "</stream:stream>")
    }
}
