/// The fields of the request, by message. Source: FCM HTTP v1 reference, `messages:send` and `Message`.
enum MessageSchema {
    enum Request: String, CaseIterable, Sendable {
        case message
        case validateOnly = "validate_only"
    }

    enum Message: String, CaseIterable, Sendable {
        case token, notification, data, android, apns, webpush, topic, condition, fid, name
        case fcmOptions = "fcm_options"
        case androidV2 = "android_v2"
    }

    enum Notification: String, CaseIterable, Sendable {
        case title, body, image
    }

    enum Android: String, CaseIterable, Sendable {
        case priority, ttl, data, notification
        case collapseKey = "collapse_key"
        case restrictedPackageName = "restricted_package_name"
        case fcmOptions = "fcm_options"
        case directBootOK = "direct_boot_ok"
        case bandwidthConstrainedOK = "bandwidth_constrained_ok"
        case restrictedSatelliteOK = "restricted_satellite_ok"
    }

    enum AndroidV2: String, CaseIterable, Sendable {
        case ttl, data
        case collapseKey = "collapse_key"
        case restrictedPackageName = "restricted_package_name"
        case fcmOptions = "fcm_options"
        case directBootOK = "direct_boot_ok"
        case bandwidthConstrainedOK = "bandwidth_constrained_ok"
        case restrictedSatelliteOK = "restricted_satellite_ok"
        case backgroundSync = "background_sync"
        case remoteNotification = "remote_notification"
    }

    enum RemoteNotification: String, CaseIterable, Sendable {
        case notification
        case mutableContent = "mutable_content"
        case useAsV1DataMessage = "use_as_v1_data_message"
    }

    enum WebPush: String, CaseIterable, Sendable {
        case headers, data, notification
        case fcmOptions = "fcm_options"
    }

    enum APNs: String, CaseIterable, Sendable {
        case headers, payload
        case fcmOptions = "fcm_options"
        case liveActivityToken = "live_activity_token"
    }

    enum Label: String, CaseIterable, Sendable {
        case analyticsLabel = "analytics_label"
    }

    enum APNsFCMOptions: String, CaseIterable, Sendable {
        case image
        case analyticsLabel = "analytics_label"
    }

    enum WebPushFCMOptions: String, CaseIterable, Sendable {
        case link
        case analyticsLabel = "analytics_label"
    }

    static let request = MessageType("SendMessageRequest", Request.self)
    static let message = MessageType("Message", Message.self)
    static let notification = MessageType("Notification", Notification.self)
    static let android = MessageType("AndroidConfig", Android.self)
    static let androidV2 = MessageType("AndroidConfigV2", AndroidV2.self)
    static let remoteNotification = MessageType("AndroidRemoteNotification", RemoteNotification.self)
    static let webpush = MessageType("WebpushConfig", WebPush.self)
    static let apns = MessageType("ApnsConfig", APNs.self)
    static let fcmOptions = MessageType("FcmOptions", Label.self)
    static let androidFCMOptions = MessageType("AndroidFcmOptions", Label.self)
    static let apnsFCMOptions = MessageType("ApnsFcmOptions", APNsFCMOptions.self)
    static let webpushFCMOptions = MessageType("WebpushFcmOptions", WebPushFCMOptions.self)
    static let backgroundSync = ObjectType("AndroidBackgroundSyncMessage", [])
}
