import PushModel
import XMPPWire

/// The rules of one connection of an app server. Decides; `CCSConnection` acts.
///
/// Source: FCM XMPP protocol; RFC 6120 for streams, SASL and binding.
struct CCSSession: Sendable {
    enum Stage: Sendable, Equatable {
        /// - Parameter awaitsResponse: The mechanism is chosen, the credentials come next.
        case anonymous(failures: Int, awaitsResponse: Bool)
        case authenticated(Project)
        case bound(Project, jid: String)
    }

    private enum Ending: Sendable {
        case clean
        case failed(XMPPStreamError)
    }

    let services: CCSSessionServices
    var stage = Stage.anonymous(failures: 0, awaitsResponse: false)
    var answers = CCSAnswers()
    /// The name by which the app server calls us.
    private(set) var host = "fcm.googleapis.com"
    /// The app server is to go to another connection.
    private(set) var isDraining = false
    /// A message for which there is no room yet.
    private var parked: XMLElement?
    /// Our opening tag was written for the current stream.
    private var isOpen = false
    /// The session ends as soon as the answers that are owed are out.
    private var ending: Ending?
    private(set) var hasEnded = false

    init(services: CCSSessionServices) {
        self.services = services
    }

    /// No event is to be given to the session now: it could only wait.
    var isBusy: Bool { parked != nil || ending != nil || hasEnded }

    var isBound: Bool {
        if case .bound = stage { true } else { false }
    }

    mutating func receive(_ event: XMPPStreamEvent) -> [CCSAction] {
        guard !hasEnded, ending == nil else { return [] }
        return switch event {
        case .opened(let header): open(header)
        case .stanza(let element): receive(element)
        case .ended: end(with: nil)
        case .failed(let error): end(with: error)
        }
    }

    // MARK: Streams

    private mutating func open(_ header: XMPPStreamHeader) -> [CCSAction] {
        if let to = header.to, !to.isEmpty { host = to }
        guard header.defaultNamespace.isEmpty || header.defaultNamespace == XMPPNamespace.client else {
            return end(with: XMPPStreamError(.invalidNamespace))
        }
        return openStream() + [.send(features)]
    }

    private mutating func openStream() -> [CCSAction] {
        guard !isOpen else { return [] }
        isOpen = true
        return [
            .open(
                XMPPStreamHeader(
                    attributes: [
                        XMLAttribute("from", host), XMLAttribute("id", services.newID()),
                        XMLAttribute("version", "1.0"), XMLAttribute("lang", in: XMPPNamespace.xml, "en"),
                    ], defaultNamespace: XMPPNamespace.client))
        ]
    }

    mutating func restart() {
        isOpen = false
    }

    /// Ends the stream after the answers that are owed.
    mutating func end(with error: XMPPStreamError?) -> [CCSAction] {
        guard !hasEnded, ending == nil else { return [] }
        ending = error.map { .failed($0) } ?? .clean
        parked = nil
        return finishIfPossible()
    }

    /// Ends the stream at once.
    mutating func abandon(with error: XMPPStreamError?) -> [CCSAction] {
        guard !hasEnded else { return [] }
        ending = error.map { .failed($0) } ?? .clean
        return finish()
    }

    private mutating func finishIfPossible() -> [CCSAction] {
        ending != nil && answers.pending == 0 ? finish() : []
    }

    private mutating func finish() -> [CCSAction] {
        let opening = openStream()
        hasEnded = true
        parked = nil
        guard case .failed(let error)? = ending else { return opening + [.end] }
        return opening + [.send(error.element), .end]
    }

    // MARK: Stanzas

    private mutating func receive(_ element: XMLElement) -> [CCSAction] {
        switch stage {
        case .anonymous(let failures, let awaitsResponse):
            negotiate(element, failures: failures, awaitsResponse: awaitsResponse)
        case .authenticated(let project): bind(element, project)
        case .bound(let project, let jid): serve(element, project, jid: jid)
        }
    }

    /// Keeps a message until there is room, and with it everything behind it.
    mutating func park(_ message: XMLElement) {
        parked = message
    }

    // MARK: Answers

    /// The outcome of a message that was submitted.
    mutating func answer(slot: Int, with reply: XMLElement) -> [CCSAction] {
        guard !hasEnded else { return [] }
        var actions = answers.put(reply, in: slot).map { CCSAction.send($0) }
        if case .bound(let project, let jid) = stage, let message = parked, answers.pending < services.maximumPending {
            parked = nil
            actions += serve(message, project, jid: jid)
        }
        return actions + finishIfPossible()
    }

    // MARK: Ends from this side

    /// Tells the app server to go elsewhere. From now on its messages are refused.
    mutating func drain() -> [CCSAction] {
        guard !hasEnded, !isDraining else { return [] }
        guard case .bound(let project, _) = stage else { return end(with: XMPPStreamError(.systemShutdown)) }
        isDraining = true
        return [.stopDelivering(project.number), .send(CCSReply.connectionDraining)]
    }

    /// Asks the app server for a sign of life.
    func ping() -> [CCSAction] {
        guard !hasEnded, isBound else { return [] }
        return [
            .send(
                XMLElement(
                    "iq", in: XMPPNamespace.client,
                    attributes: [
                        XMLAttribute("type", "get"), XMLAttribute("id", services.newID()), XMLAttribute("from", host),
                    ], children: [XMLElement("ping", in: XMPPNamespace.ping)]))
        ]
    }
}
