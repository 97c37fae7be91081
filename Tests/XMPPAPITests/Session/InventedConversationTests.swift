import LegacyAPI
import PropertyTesting
import Testing
import XMPPWire

@testable import XMPPAPI

@Suite struct `Invented conversations` {
    private static let conversation =
        SessionRun.opening + SessionRun.auth("key") + SessionRun.opening
        + "<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>r</resource></bind></iq>"
        + "<iq type='set' id='2'><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq><presence/>"
        + SessionRun.downstream(1)
        + SessionRun.message("{\"to\":\"t\",\"message_id\":\"u\",\"message_type\":\"ack\"}", id: "3")
        + SessionRun.message("<![CDATA[{\"to\":\"/topics/a\",\"message_id\":\"m2\",\"time_to_live\":5}]]>")
        + "<iq type='get' id='4'><ping xmlns='urn:xmpp:ping'/></iq>" + SessionRun.message("{}") + "</stream:stream>"

    /// Whatever comes in: what goes out is well-formed, and ends when the session has ended.
    @Test(arguments: 0..<20) func `end well`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("<>&;'\"/={}[]:,".utf8)
        for _ in 0..<100 {
            let bytes = generator.mutate(Array(Self.conversation.utf8), alphabet: alphabet)
            var run = SessionRun(maximumPending: Int.random(in: 1...3, using: &generator))
            var written = ""
            for piece in generator.pieces(of: bytes, longest: 300) {
                piece.withUnsafeBytes { run.reader.receive($0) }
                written += run.pull()
                if Bool.random(using: &generator) { written += answerAll(&run) }
            }
            written += answerAll(&run)
            judge(written, of: run.session)
        }
    }

    private func answerAll(_ run: inout SessionRun) -> String {
        var written = ""
        while let place = run.others.firstIndex(where: { if case .submit = $0 { true } else { false } }) {
            guard case .submit(let downstream, let slot, _) = run.others.remove(at: place) else { break }
            let reply = CCSReply.reply(to: downstream, .accepted(currentToken: nil))
            written += run.perform(run.session.answer(slot: slot, with: reply)) + run.pull()
        }
        return written
    }

    private func judge(_ written: String, of session: CCSSession) {
        let reader = XMPPStreamReader()
        Array(written.utf8).withUnsafeBytes { reader.receive($0) }
        var last: XMPPStreamEvent?
        while let event = reader.nextEvent() {
            if case .failed(let error) = event { Issue.record("\(error) in \(written)") }
            if case .stanza(let element) = event, element.name == "success" { reader.restart() }
            last = event
        }
        #expect((last == .ended) == session.hasEnded)
    }
}
