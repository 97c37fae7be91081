#if canImport(Darwin) && !os(tvOS)
    import FirebaseApple
    import FirebasePlatform
    import Foundation
    import UserNotifications

    /// Hears of the notifications that the app shows while it is open, and of those the user answers.
    ///
    /// The SDK never answers the system here: the app's own method, which is there, does.
    struct NotificationDelegateProxy: Sendable {
        private typealias Original = @convention(c) (NSObject, Selector, NSObject, NSObject, AnyObject) -> Void

        let host: HostEvents

        /// Follows the centre's delegate, whoever sets it and whenever.
        @MainActor
        func follow(_ center: UNUserNotificationCenter) -> NSKeyValueObservation {
            center.observe(\.delegate, options: [.initial, .new]) { [self] center, _ in
                guard let delegate = center.delegate as? NSObject else { return }
                install(on: delegate)
            }
        }

        private func install(on delegate: NSObject) {
            let methods = ProxyPlan.notificationDelegateMethods { delegate.responds(to: $0.selector) }
            guard !methods.isEmpty, let proxy = ProxyClass.of(delegate) else { return }
            for method in methods { install(method, on: proxy) }
        }

        private func install(_ method: ProxiedMethod, on proxy: ProxyClass) {
            let block: @convention(block) (NSObject, NSObject, NSObject, AnyObject) -> Void = {
                [host] object, center, value, completion in
                if let message = Self.message(of: value) { host.report(message) }
                proxy.originalImplementation(of: method, as: Original.self)?(
                    object, method.selector, center, value, completion)
            }
            proxy.implement(method, block)
        }

        private static func message(of value: NSObject) -> IncomingMessage? {
            switch value {
            case let response as UNNotificationResponse:
                let payload = payload(of: response.notification)
                let isDismissal = response.actionIdentifier == UNNotificationDismissActionIdentifier
                return isDismissal ? .dismissed(payload) : .received(payload)
            case let notification as UNNotification: return .received(payload(of: notification))
            default: return nil
            }
        }

        private static func payload(of notification: UNNotification) -> [String: PayloadValue] {
            PayloadValue.entries(notification.request.content.userInfo)
        }
    }
#endif
