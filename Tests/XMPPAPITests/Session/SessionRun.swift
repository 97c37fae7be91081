import Bytes
import LegacyAPI
import PushModel
import Synchronization
import Timekeeping
import XMPPWire

@testable import XMPPAPI

/// A session with a reader before it and a writer behind it, and no socket.
struct SessionRun {
    static let project = Project(
        id: ProjectID("demo-kitchen")!, number: ProjectNumber(value: 123_456_789_012), displayName: "",
        createdAt: Timestamp(seconds: 0))
    static let opening =
        "<?xml version='1.0'?><stream:stream to='gcm.googleapis.com' version='1.0' xmlns='jabber:client' "
        + "xmlns:stream='http://etherx.jabber.org/streams'>"
    static let openingAnswer =
        "<?xml version=\"1.0\"?><stream:stream xmlns=\"jabber:client\" "
        + "xmlns:stream=\"http://etherx.jabber.org/streams\" from=\"gcm.googleapis.com\" id=\"new\" version=\"1.0\" "
        + "xml:lang=\"en\">"

    var session: CCSSession
    let reader = XMPPStreamReader()
    /// Everything but what was written.
    var others: [CCSAction] = []

    init(maximumPending: Int = 100, admits: Bool = true) {
        session = CCSSession(
            services: CCSSessionServices(
                authenticate: { credentials in
                    credentials.secret.reveal() == "key" && credentials.sender == Self.project.number
                        ? Self.project : nil
                }, admit: { _ in admits }, newID: { "new" }, maximumPending: maximumPending))
    }

    /// - Returns: What was written.
    mutating func receive(_ text: String) -> String {
        Array(text.utf8).withUnsafeBytes { reader.receive($0) }
        return pull()
    }

    /// Gives the session the events that it can take.
    mutating func pull() -> String {
        var written = ""
        while !session.isBusy, let event = reader.nextEvent() { written += perform(session.receive(event)) }
        return written
    }

    mutating func perform(_ actions: [CCSAction]) -> String {
        var writer = XMLWriter()
        for action in actions {
            switch action {
            case .open(let header): writer.write(header)
            case .send(let element): writer.write(element)
            case .end: writer.writeStreamEnd()
            case .restart: reader.restart()
            default: others.append(action)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Up to the bound resource.
    mutating func logIn() {
        _ = receive(Self.opening + Self.auth("key") + Self.opening)
        _ = receive("<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        others = []
    }

    /// The outcome of a message that was submitted.
    mutating func answer(_ slot: Int, _ outcome: SingleMessageSender.Outcome = .accepted(currentToken: nil)) -> String {
        for case .submit(let downstream, slot, _) in others {
            return perform(session.answer(slot: slot, with: CCSReply.reply(to: downstream, outcome))) + pull()
        }
        return "nothing was submitted"
    }

    static func auth(
        _ secret: String, name: String = "123456789012", as authorization: String = "", mechanism: String = "PLAIN"
    ) -> String {
        let text = Base64.encode(Array("\(authorization)\u{0}\(name)\u{0}\(secret)".utf8))
        return "<auth mechanism='\(mechanism)' xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(text)</auth>"
    }

    static func message(_ json: String, id: String = "") -> String {
        "<message id='\(id)'><gcm xmlns='google:mobile:data'>\(json)</gcm></message>"
    }

    static func downstream(_ number: Int) -> String {
        message("{\"to\":\"t\",\"message_id\":\"m\(number)\"}")
    }
}
