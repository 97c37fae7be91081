/// The choices of the request judge that Apple leaves open, and its numbers.
public struct JudgeRules: Sendable {
    public var authentication = AuthenticationRules()
    /// The answer to a body that is not a JSON object: not documented.
    public var malformedPayloadReason = RejectionReason.payloadEmpty
    /// Takes pushes to well-formed tokens that no device registered: accepted and recorded, delivered to nobody.
    public var acceptsUnknownTokens = false
    /// Replaces the largest payload of every push type, in bytes.
    public var maximumPayloadBytes: Int?

    public init() {}
}
