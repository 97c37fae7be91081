#if canImport(ObjectiveC)
    import Foundation

    extension ObjCMessaging {
        @objc(registerWithCompletion:)
        public func register(completion: @escaping ((any Error)?) -> Void) {
            messaging.register(completion: completion)
        }

        @objc(unregisterWithCompletion:)
        public func unregister(completion: @escaping ((any Error)?) -> Void) {
            messaging.unregister(completion: completion)
        }

        @objc(deleteDataWithCompletion:)
        public func deleteData(completion: @escaping ((any Error)?) -> Void) {
            messaging.deleteData(completion: completion)
        }

        @available(*, deprecated, message: "Use registerWithCompletion: instead.")
        @objc(FCMToken)
        public var fcmToken: String? {
            @objc(FCMToken) get { messaging.fcmToken }
        }

        @available(*, deprecated, message: "Use registerWithCompletion: instead.")
        @objc(tokenWithCompletion:)
        public func token(completion: @escaping (String?, (any Error)?) -> Void) {
            messaging.token(completion: completion)
        }

        @available(*, deprecated, message: "Use unregisterWithCompletion: instead.")
        @objc(deleteTokenWithCompletion:)
        public func deleteToken(completion: @escaping ((any Error)?) -> Void) {
            messaging.deleteToken(completion: completion)
        }

        @available(*, deprecated, message: "Use registerWithCompletion: instead.")
        @objc(retrieveFCMTokenForSenderID:completion:)
        public func retrieveFCMToken(
            forSenderID senderID: String, completion: @escaping (String?, (any Error)?) -> Void
        ) {
            messaging.retrieveFCMToken(forSenderID: senderID, completion: completion)
        }

        @available(*, deprecated, message: "Use unregisterWithCompletion: instead.")
        @objc(deleteFCMTokenForSenderID:completion:)
        public func deleteFCMToken(forSenderID senderID: String, completion: @escaping ((any Error)?) -> Void) {
            messaging.deleteFCMToken(forSenderID: senderID, completion: completion)
        }
    }

    extension ObjCMessaging {
        @objc(subscribeToTopic:)
        public func subscribe(toTopic topic: String) { messaging.subscribe(toTopic: topic) }

        @objc(subscribeToTopic:completion:)
        public func subscribe(toTopic topic: String, completion: (((any Error)?) -> Void)?) {
            messaging.subscribe(toTopic: topic, completion: completion)
        }

        @objc(unsubscribeFromTopic:)
        public func unsubscribe(fromTopic topic: String) { messaging.unsubscribe(fromTopic: topic) }

        @objc(unsubscribeFromTopic:completion:)
        public func unsubscribe(fromTopic topic: String, completion: (((any Error)?) -> Void)?) {
            messaging.unsubscribe(fromTopic: topic, completion: completion)
        }
    }
#endif
