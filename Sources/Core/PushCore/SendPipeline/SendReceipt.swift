public import PushModel

/// What a sender gets for an accepted request.
public struct SendReceipt: Sendable, Equatable {
    /// `nil` when the request only asked for validation.
    public var id: MessageID?
    /// How many registrations the message is on its way to; `nil` for a topic or condition, whose members are found
    /// later.
    public var recipientCount: Int?
    /// What became of each member, when the target was a device group. Members are named by their current tokens.
    public var groupMembers: [RecipientResult]?

    public init(id: MessageID?, recipientCount: Int?, groupMembers: [RecipientResult]? = nil) {
        self.id = id
        self.recipientCount = recipientCount
        self.groupMembers = groupMembers
    }

    /// The resource name of the message. Source: FCM HTTP v1, `Message.name`; for a validated request, FCM's own answer.
    ///
    /// - Parameter project: As the request named it.
    public func name(in project: some StringProtocol) -> String {
        "projects/\(project)/messages/\(id.map(\.description) ?? "fake_message_id")"
    }
}

/// What a sender gets for a message to a list of tokens.
public struct MulticastReceipt: Sendable, Equatable {
    /// Of the message that all recipients share; `nil` when the request only asked for validation, or nobody gets it.
    public var id: MessageID?
    /// One for each token, in the order of the request. A token that is named twice gets the message once, and both
    /// places have its result.
    public var results: [RecipientResult]

    public init(id: MessageID?, results: [RecipientResult]) {
        self.id = id
        self.results = results
    }
}

/// How one recipient of several fared.
public struct RecipientResult: Sendable, Equatable {
    public var token: String
    /// `nil` when the message is accepted for it: taken by the platform, or durable and on its way.
    public var error: SendError?
    /// The registration that gets it: what an id of this one delivery can be made of.
    public var registration: RegistrationID?

    public init(token: String, error: SendError? = nil, registration: RegistrationID? = nil) {
        self.token = token
        self.error = error
        self.registration = registration
    }
}
