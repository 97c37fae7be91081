import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message that came over the direct channel.
@available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
public final class MessagingRemoteMessage: Sendable {
    private let content: ReceivedDirectMessage

    init(_ content: ReceivedDirectMessage) {
        self.content = content
    }

    /// The message's data as text, `from`, `collapse_key`, `rawData` as `Data`, and `notification` as a dictionary.
    public var appData: [AnyHashable: Any] { content.appData }

    /// Unique within the app instance.
    public var messageID: String { content.id }
}

/// What `MessagingRemoteMessage` holds.
struct ReceivedDirectMessage: Sendable {
    let id: String
    private let message: DirectMessage

    init(_ message: DirectMessage, id: String) {
        self.id = id
        self.message = message
    }

    var appData: [AnyHashable: Any] {
        var data: [AnyHashable: Any] = [:]
        for (key, value) in message.payload { data[key] = value.any }
        if let bytes = message.rawData { data["rawData"] = Data(bytes) }
        return data
    }
}

/// Calls the delegate's deprecated methods. A protocol stands between, so that the caller is not deprecated in turn.
protocol DirectMessageDelivery: Sendable {
    func deliver(_ message: ReceivedDirectMessage, to delegate: any MessagingDelegate, of messaging: Messaging)
}

struct DelegateDelivery: DirectMessageDelivery {
    @available(*, deprecated)
    func deliver(_ message: ReceivedDirectMessage, to delegate: any MessagingDelegate, of messaging: Messaging) {
        delegate.messaging(messaging, didReceive: MessagingRemoteMessage(message))
    }
}

extension RegistrationAnnouncer {
    private static let delivery: any DirectMessageDelivery = DelegateDelivery()

    /// Hands a message to the delegate. Call it on main.
    func deliver(_ message: ReceivedDirectMessage) {
        guard let messaging else { return }
        guard let delegate = delegate.value else { return messaging.warnAboutLostMessage() }
        Self.delivery.deliver(message, to: delegate, of: messaging)
    }
}
