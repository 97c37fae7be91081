/// Who makes a request, and what proved it.
public struct Visitor: Sendable {
    public enum Proof: Sendable {
        /// The cookie of a browser, which comes along with every request that a page makes: the caller must show the
        /// token against request forgery as well.
        case session(SessionID, secret: String)
        case token(TokenID)
    }

    public var user: ConsoleUser
    public var proof: Proof

    public init(user: ConsoleUser, proof: Proof) {
        self.user = user
        self.proof = proof
    }

    public var sessionID: SessionID? {
        if case .session(let id, _) = proof { id } else { nil }
    }
}
