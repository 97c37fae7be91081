/// One request to send, as every door makes it. The dialect is gone; nothing is validated against the registry yet.
public struct SendRequest: Sendable, Equatable {
    /// The project on whose behalf the sender speaks.
    public var project: ProjectID
    public var target: SendTarget
    public var message: Message
    /// Check everything, deliver nothing.
    public var validateOnly: Bool

    public init(project: ProjectID, target: SendTarget, message: Message, validateOnly: Bool = false) {
        self.project = project
        self.target = target
        self.message = message
        self.validateOnly = validateOnly
    }
}
