#if canImport(Darwin)
    import FirebaseApple
    import FirebasePlatform
    import Foundation

    /// Hears what APNs answers to the app's registration, then lets the app's own method run.
    enum RegistrationProxy {
        private typealias ToApp = @convention(c) (NSObject, Selector, NSObject, NSObject) -> Void
        private typealias ToWatch = @convention(c) (NSObject, Selector, NSObject) -> Void

        /// Methods whose first argument is the application.
        static func installOnApp(
            _ method: ProxiedMethod, on proxy: ProxyClass, callsOriginal: Bool,
            report: @escaping @Sendable (NSObject) -> Void
        ) {
            let block: @convention(block) (NSObject, NSObject, NSObject) -> Void = { object, application, value in
                report(value)
                guard callsOriginal else { return }
                proxy.originalImplementation(of: method, as: ToApp.self)?(object, method.selector, application, value)
            }
            proxy.implement(method, block)
        }

        static func installOnWatch(
            _ method: ProxiedMethod, on proxy: ProxyClass, callsOriginal: Bool,
            report: @escaping @Sendable (NSObject) -> Void
        ) {
            let block: @convention(block) (NSObject, NSObject) -> Void = { object, value in
                report(value)
                guard callsOriginal else { return }
                proxy.originalImplementation(of: method, as: ToWatch.self)?(object, method.selector, value)
            }
            proxy.implement(method, block)
        }
    }

    extension HostEvents {
        /// The device token that came as an object.
        func reportToken(_ value: NSObject) {
            guard let token = value as? Data else { return }
            report(.registered(deviceToken: Array(token), environment: nil))
        }

        func reportFailure(_ value: NSObject) {
            report(.failed(reason: (value as? NSError)?.localizedDescription ?? "unknown"))
        }

        /// The payload that came as an object.
        func reportMessage(_ value: NSObject) {
            guard let payload = value as? [AnyHashable: Any] else { return }
            report(.received(PayloadValue.entries(payload)))
        }
    }
#endif
