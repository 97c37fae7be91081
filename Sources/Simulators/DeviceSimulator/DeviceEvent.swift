public import JSON
public import Timekeeping

/// Something that happened on a virtual iPhone, as its app or its user would notice.
public struct DeviceEvent: Sendable {
    /// What happened, by the name that Apple or the SDK gives the callback.
    public enum Kind: String, Sendable {
        case didFinishLaunching, didRegisterForRemoteNotifications, didFailToRegisterForRemoteNotifications
        case didReceiveRegistrationToken, didReceiveRegistration, didUnregister
        /// The completions of topic calls; `error` says why a call failed.
        case didSubscribe, didUnsubscribe, didFailTopicCall
        case didBecomeActive, didEnterBackground, willTerminate
        /// A notification came while the app was in the foreground.
        case willPresent
        /// A notification went to the notification centre.
        case shown
        /// The app was told of a push, in the background too.
        case didReceiveRemoteNotification
        /// The app was told that the user tapped a notification, or put it away: `action_identifier` says which.
        case didReceiveResponse
        /// The user put a notification away.
        case dismissed
        /// iOS took the push and the app heard nothing of it: `reason` says why.
        case dropped
        case badgeChanged
        /// A message came over the direct channel.
        case didReceiveRemoteMessage
        /// The server gave up messages that waited for the device.
        case messagesDeleted
        case directChannelUp, directChannelDown
        /// How messages to the app's server ended; `error` says why one failed.
        case didSend, sendFailed
    }

    public var kind: Kind
    /// The phone's name.
    public var device: String
    public var time: Timestamp
    /// `gcm.message_id` of the push that the event is about, the server's id of a message of the direct channel, or the
    /// app's of a message to its server.
    public var messageID: String?
    public var details: JSONObject

    /// One line of JSON for machines.
    public var json: JSONValue {
        var object: JSONObject = [
            "event": .string(kind.rawValue), "device": .string(device), "at_ms": .integer(time.milliseconds),
        ]
        if let messageID { object["message_id"] = .string(messageID) }
        for member in details.members { object[member.name] = member.value }
        return .object(object)
    }
}
