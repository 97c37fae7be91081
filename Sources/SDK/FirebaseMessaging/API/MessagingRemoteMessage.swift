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
