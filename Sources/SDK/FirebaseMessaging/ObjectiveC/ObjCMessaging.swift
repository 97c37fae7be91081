#if canImport(ObjectiveC)
    package import FirebaseCore
    public import Foundation
    import Synchronization

    /// `Messaging` for Objective-C.
    @objc(FIRMessaging)
    public final class ObjCMessaging: NSObject, Sendable {
        let messaging: Messaging
        /// Kept here, since messaging holds its delegate weakly.
        private let bridge = Mutex<ObjCDelegateBridge?>(nil)

        package init(app: FirebaseApp) {
            messaging = app.component(Messaging.self)
        }

        private init(_ messaging: Messaging) {
            self.messaging = messaging
        }

        @objc
        public static func messaging() -> ObjCMessaging {
            let messaging = Messaging.messaging()
            return FirebaseApp.app()?.component(ObjCMessaging.self) ?? ObjCMessaging(messaging)
        }

        @objc public weak var delegate: (any ObjCMessagingDelegate)? {
            get { bridge.withLock { $0?.delegate } }
            set {
                let new = newValue.map { ObjCDelegateBridge($0, of: self) }
                bridge.withLock { $0 = new }
                messaging.delegate = new
            }
        }

        @available(*, deprecated, renamed: "delegate")
        @objc public weak var remoteMessageDelegate: (any ObjCMessagingDelegate)? {
            get { delegate }
            set { delegate = newValue }
        }

        @objc(APNSToken)
        public var apnsToken: Data? {
            @objc(APNSToken) get { messaging.apnsToken }
            @objc(setAPNSToken:) set { messaging.apnsToken = newValue }
        }

        @objc(setAPNSToken:type:)
        public func setAPNSToken(_ apnsToken: Data, type: ObjCMessagingAPNSTokenType) {
            messaging.setAPNSToken(apnsToken, type: MessagingAPNSTokenType(rawValue: type.rawValue) ?? .unknown)
        }

        @objc(autoInitEnabled)
        public var autoInitEnabled: Bool {
            @objc(isAutoInitEnabled) get { messaging.isAutoInitEnabled }
            @objc(setAutoInitEnabled:) set { messaging.isAutoInitEnabled = newValue }
        }

        @objc(installationIdEnabled)
        public var installationIdEnabled: Bool {
            @objc(isInstallationIdEnabled) get { messaging.isInstallationIdEnabled }
        }

        @objc(appDidReceiveMessage:)
        @discardableResult
        public func appDidReceiveMessage(_ message: [AnyHashable: Any]) -> ObjCMessagingMessageInfo {
            ObjCMessagingMessageInfo(messaging.appDidReceiveMessage(message))
        }

        @objc(appDidDismissMessage:)
        public func appDidDismissMessage(_ message: [AnyHashable: Any]) {
            messaging.appDidDismissMessage(message)
        }
    }

    extension ObjCMessaging: FirebaseComponent {
        package func appDeleted() {}
    }
#endif
