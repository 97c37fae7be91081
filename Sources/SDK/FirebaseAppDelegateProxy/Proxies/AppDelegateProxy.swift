#if canImport(Darwin)
    public import FirebaseApple
    public import FirebasePlatform
    import Foundation
    import UserNotifications

    #if os(macOS)
        import AppKit
    #elseif os(watchOS)
        import WatchKit
    #else
        import UIKit
    #endif

    /// Takes device tokens and messages from the app's delegates, without a line in the app.
    ///
    /// An app that sets `FirebaseAppDelegateProxyEnabled` to NO never comes here, and nothing of it is touched.
    @MainActor
    public enum AppDelegateProxy {
        private static var isInstalled = false
        private static var launchObserver: (any NSObjectProtocol)?
        private static var centerObservation: NSKeyValueObservation?

        /// Once per process; later calls do nothing. An app without a delegate yet, as an app of SwiftUI is while it is
        /// made, gets its proxy when it has launched.
        public static func install(feeding host: HostEvents, main: any MainExecutor) {
            guard !isInstalled else { return }
            isInstalled = true
            let proxies = Proxies(host: host, main: main)
            if let delegate = HostApplication.proxiedDelegate {
                proxies.install(on: delegate)
            } else {
                waitForLaunch(proxies)
            }
            followNotificationCenter(host)
        }

        private static func waitForLaunch(_ proxies: Proxies) {
            launchObserver = NotificationCenter.default.addObserver(
                forName: HostApplication.didFinishLaunching, object: nil, queue: .main
            ) { _ in
                MainActor.assumeIsolated {
                    guard launchObserver != nil, let delegate = HostApplication.proxiedDelegate else { return }
                    if let observer = launchObserver { NotificationCenter.default.removeObserver(observer) }
                    launchObserver = nil
                    proxies.install(on: delegate)
                }
            }
        }

        /// Televisions show no notifications, and a process without a bundle has no centre.
        private static func followNotificationCenter(_ host: HostEvents) {
            #if !os(tvOS)
                guard Bundle.main.bundleIdentifier != nil else { return }
                centerObservation = NotificationDelegateProxy(host: host).follow(.current())
            #endif
        }
    }

    /// The methods of one app delegate.
    private struct Proxies: Sendable {
        let host: HostEvents
        let main: any MainExecutor

        private static var system: ProxyPlan.System {
            #if os(macOS)
                .mac
            #elseif os(watchOS)
                .watch
            #else
                .phone
            #endif
        }

        @MainActor
        func install(on delegate: NSObject) {
            let known = Set(ProxiedMethod.allCases.filter { delegate.responds(to: $0.selector) })
            guard let proxy = ProxyClass.of(delegate) else { return }
            for method in ProxyPlan.appDelegateMethods(on: Self.system) {
                install(method, on: proxy, implements: known.contains)
            }
            HostApplication.readDelegateAgain()
        }

        private func install(
            _ method: ProxiedMethod, on proxy: ProxyClass, implements: (ProxiedMethod) -> Bool
        ) {
            let host = host
            let messages = MessageProxy(host: host, main: main)
            let isThere = implements(method)
            switch method {
            case .registered:
                RegistrationProxy.installOnApp(method, on: proxy, callsOriginal: isThere) { host.reportToken($0) }
            case .failedToRegister:
                RegistrationProxy.installOnApp(method, on: proxy, callsOriginal: isThere) { host.reportFailure($0) }
            case .received:
                RegistrationProxy.installOnApp(method, on: proxy, callsOriginal: isThere) { host.reportMessage($0) }
            case .watchRegistered:
                RegistrationProxy.installOnWatch(method, on: proxy, callsOriginal: isThere) { host.reportToken($0) }
            case .watchFailedToRegister:
                RegistrationProxy.installOnWatch(method, on: proxy, callsOriginal: isThere) { host.reportFailure($0) }
            case .receivedFetching:
                messages.installFetching(on: proxy, forwarding: FetchForwarding(implements: implements))
            case .watchReceivedFetching:
                messages.installWatchFetching(on: proxy, callsOriginal: isThere)
            case .willPresent, .receivedResponse: break
            }
        }
    }

    extension HostApplication {
        /// The app's delegate.
        fileprivate static var proxiedDelegate: NSObject? {
            #if os(watchOS)
                WKApplication.shared().delegate as? NSObject ?? WKExtension.shared().delegate as? NSObject
            #else
                shared?.delegate as? NSObject
            #endif
        }

        /// The system notes which methods a delegate has when it is set.
        fileprivate static func readDelegateAgain() {
            #if !os(watchOS)
                guard let application = shared, let delegate = application.delegate else { return }
                application.delegate = nil
                application.delegate = delegate
            #endif
        }
    }
#endif
