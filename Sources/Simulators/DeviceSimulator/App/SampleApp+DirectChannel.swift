import Bytes
import FirebaseMessaging
import FirebasePlatform
import FoundationEssentials
import JSON

/// What the app does with the direct channel. The SDK's names for it are deprecated: this protocol stands between, so that
/// the rest of the simulator is not.
protocol DirectChannelUser {
    func openDirectChannel()
    var isDirectChannelUp: Bool { get }
    func sendUpstream(_ data: [String: String], to receiver: String, messageID: String, timeToLiveSeconds: Int64)
    /// The SDK posted a notification.
    func notified(_ name: NotificationName, _ userInfo: [String: any Sendable])
}

extension SampleApp: DirectChannelUser {
    @available(*, deprecated)
    func openDirectChannel() {
        Messaging.messaging().shouldEstablishDirectChannel = true
    }

    @available(*, deprecated)
    var isDirectChannelUp: Bool { Messaging.messaging().isDirectChannelEstablished }

    @available(*, deprecated)
    func sendUpstream(_ data: [String: String], to receiver: String, messageID: String, timeToLiveSeconds: Int64) {
        Messaging.messaging().sendMessage(
            data, to: receiver, withMessageID: messageID, timeToLive: timeToLiveSeconds)
    }

    @available(*, deprecated)
    func notified(_ name: NotificationName, _ userInfo: [String: any Sendable]) {
        let messageID = userInfo["messageID"] as? String
        switch name {
        case .MessagingSendSuccess: report(.didSend, messageID, [:])
        case .MessagingSendError:
            let error = userInfo["error"].map { "\($0)" } ?? ""
            report(.sendFailed, messageID, ["error": .string(error)])
        case .MessagingMessagesDeleted: report(.messagesDeleted, nil, [:])
        case .MessagingConnectionStateChanged:
            report(isDirectChannelUp ? .directChannelUp : .directChannelDown, nil, [:])
        default: break
        }
    }

    func posted(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
        let user: any DirectChannelUser = self
        user.notified(name, userInfo)
    }

    @available(*, deprecated)
    func messaging(_ messaging: Messaging, didReceive remoteMessage: MessagingRemoteMessage) {
        var data = PayloadValue.dictionary(PayloadValue.entries(remoteMessage.appData)).json
        if let bytes = remoteMessage.appData["rawData"] as? Data, var object = data.object {
            object["rawData"] = .string(Base64URL.encode(Array(bytes)))
            data = .object(object)
        }
        report(.didReceiveRemoteMessage, remoteMessage.messageID, ["app_data": data])
    }
}
