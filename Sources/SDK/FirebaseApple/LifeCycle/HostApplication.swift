#if os(iOS) || os(tvOS) || os(visionOS)
    package import UIKit
    import FirebasePlatform

    /// The application object. App extensions have none, and may not even name it: so it is asked for by name.
    @MainActor
    package enum HostApplication {
        package static var shared: UIApplication? {
            let selector = NSSelectorFromString("sharedApplication")
            guard Bundle.main.bundleURL.pathExtension != "appex", UIApplication.responds(to: selector) else {
                return nil
            }
            return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
        }

        static var state: AppState {
            switch shared?.applicationState {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            case nil: .absent
            @unknown default: .inactive
            }
        }

        nonisolated static var signals: [(Notification.Name, LifeCycleSignal)] {
            [
                (UIApplication.didBecomeActiveNotification, .becameActive),
                (UIApplication.willResignActiveNotification, .willResignActive),
                (UIApplication.didEnterBackgroundNotification, .enteredBackground),
                (UIApplication.willEnterForegroundNotification, .willEnterForeground),
                (UIApplication.willTerminateNotification, .willTerminate),
            ]
        }

        package nonisolated static var didFinishLaunching: Notification.Name {
            UIApplication.didFinishLaunchingNotification
        }
    }
#elseif os(macOS)
    package import AppKit
    import FirebasePlatform

    /// The application object. Mac apps have no background: one that is not in front is inactive.
    @MainActor
    package enum HostApplication {
        /// `nil` in programs without an interface: asking for `NSApplication.shared` would make one.
        package static var shared: NSApplication? { NSApp }

        static var state: AppState {
            guard let shared else { return .absent }
            return shared.isActive ? .active : .inactive
        }

        nonisolated static var signals: [(Notification.Name, LifeCycleSignal)] {
            [
                (NSApplication.didBecomeActiveNotification, .becameActive),
                (NSApplication.didResignActiveNotification, .willResignActive),
                (NSApplication.willTerminateNotification, .willTerminate),
            ]
        }

        package nonisolated static var didFinishLaunching: Notification.Name {
            NSApplication.didFinishLaunchingNotification
        }
    }
#elseif os(watchOS)
    package import WatchKit
    import FirebasePlatform

    /// The application object of a watch app.
    @MainActor
    package enum HostApplication {
        package static var shared: WKApplication? { WKApplication.shared() }

        static var state: AppState {
            switch shared?.applicationState {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            case nil: .absent
            @unknown default: .inactive
            }
        }

        nonisolated static var signals: [(Notification.Name, LifeCycleSignal)] {
            [
                (WKApplication.didBecomeActiveNotification, .becameActive),
                (WKApplication.willResignActiveNotification, .willResignActive),
                (WKApplication.didEnterBackgroundNotification, .enteredBackground),
                (WKApplication.willEnterForegroundNotification, .willEnterForeground),
            ]
        }

        package nonisolated static var didFinishLaunching: Notification.Name {
            WKApplication.didFinishLaunchingNotification
        }
    }
#endif
