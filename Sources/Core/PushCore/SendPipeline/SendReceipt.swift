public import PushModel

/// What a sender gets for an accepted request.
public struct SendReceipt: Sendable, Equatable {
    /// `nil` when the request only asked for validation.
    public var id: MessageID?
    /// How many registrations the message is on its way to.
    public var recipientCount: Int

    public init(id: MessageID?, recipientCount: Int) {
        self.id = id
        self.recipientCount = recipientCount
    }

    /// The resource name of the message. Source: FCM HTTP v1, `Message.name`; for a validated request, FCM's own answer.
    ///
    /// - Parameter project: As the request named it.
    public func name(in project: some StringProtocol) -> String {
        "projects/\(project)/messages/\(id.map(\.description) ?? "fake_message_id")"
    }
}
