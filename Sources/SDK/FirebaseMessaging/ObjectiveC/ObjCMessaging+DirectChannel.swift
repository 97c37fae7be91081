#if canImport(ObjectiveC)
    import Foundation

    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    extension ObjCMessaging {
        @objc public var shouldEstablishDirectChannel: Bool {
            get { messaging.shouldEstablishDirectChannel }
            set { messaging.shouldEstablishDirectChannel = newValue }
        }

        @objc public var isDirectChannelEstablished: Bool { messaging.isDirectChannelEstablished }

        @objc public var useMessagingDelegateForDirectChannel: Bool {
            get { messaging.useMessagingDelegateForDirectChannel }
            set { messaging.useMessagingDelegateForDirectChannel = newValue }
        }

        @objc(connectWithCompletion:)
        public func connect(completion: @escaping ((any Error)?) -> Void) { messaging.connect(handler: completion) }

        @objc
        public func disconnect() { messaging.disconnect() }

        @objc(sendMessage:to:withMessageID:timeToLive:)
        public func sendMessage(
            _ message: [AnyHashable: Any], to receiver: String, withMessageID messageID: String, timeToLive ttl: Int64
        ) {
            messaging.sendMessage(message, to: receiver, withMessageID: messageID, timeToLive: ttl)
        }
    }
#endif
