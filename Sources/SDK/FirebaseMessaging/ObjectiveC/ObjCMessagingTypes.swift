#if canImport(ObjectiveC)
    public import Foundation

    /// `MessagingAPNSTokenType` for Objective-C.
    @objc(FIRMessagingAPNSTokenType)
    public enum ObjCMessagingAPNSTokenType: Int {
        case unknown = 0
        case sandbox = 1
        case prod = 2
    }

    /// `MessagingMessageStatus` for Objective-C.
    @objc(FIRMessagingMessageStatus)
    public enum ObjCMessagingMessageStatus: Int {
        case unknown = 0
        case new = 1
    }

    /// The numbers of `MessagingError` for Objective-C.
    @objc(FIRMessagingError)
    public enum ObjCMessagingError: Int {
        case unknown = 0
        case authentication = 1
        case noAccess = 2
        case timeout = 3
        case network = 4
        case operationInProgress = 5
        case invalidRequest = 7
        case invalidTopicName = 8
    }

    /// `MessagingMessageInfo` for Objective-C.
    @objc(FIRMessagingMessageInfo)
    public final class ObjCMessagingMessageInfo: NSObject, Sendable {
        private let info: MessagingMessageInfo

        init(_ info: MessagingMessageInfo) {
            self.info = info
        }

        @objc public var status: ObjCMessagingMessageStatus {
            ObjCMessagingMessageStatus(rawValue: info.status.rawValue) ?? .unknown
        }
    }

    /// `MessagingRemoteMessage` for Objective-C.
    @objc(FIRMessagingRemoteMessage)
    public final class ObjCMessagingRemoteMessage: NSObject, Sendable {
        @objc public let messageID: String
        private let data: @Sendable () -> [AnyHashable: Any]

        init(messageID: String, data: @escaping @Sendable () -> [AnyHashable: Any]) {
            self.messageID = messageID
            self.data = data
        }

        @objc public var appData: [AnyHashable: Any] { data() }
    }
#endif
