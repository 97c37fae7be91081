#if canImport(Darwin)
    import FirebasePlatform
    import Foundation

    #if os(iOS) || os(tvOS) || os(visionOS)
        import UIKit
    #elseif os(macOS)
        import AppKit
    #elseif os(watchOS)
        import WatchKit
    #endif

    /// Hands links to the app as the system hands it universal links: to a scene first, else to the app delegate.
    struct ActivityLinkOpener: LinkOpener {
        func open(url: String) {
            guard let url = URL(string: url) else { return }
            MainActor.assumeIsolated {
                let activity = NSUserActivity(activityType: Self.activityType)
                activity.webpageURL = url
                Self.deliver(activity)
            }
        }

        #if os(iOS) || os(tvOS) || os(visionOS)
            @MainActor private static func deliver(_ activity: NSUserActivity) {
                guard let application = HostApplication.shared else { return }
                let scenes = application.connectedScenes.sorted { left, _ in
                    left.activationState == .foregroundActive
                }
                for scene in scenes {
                    guard let continueActivity = scene.delegate?.scene(_:continue:) else { continue }
                    return continueActivity(scene, activity)
                }
                _ = application.delegate?.application?(application, continue: activity, restorationHandler: { _ in })
            }
        #elseif os(macOS)
            @MainActor private static func deliver(_ activity: NSUserActivity) {
                guard let application = HostApplication.shared else { return }
                _ = application.delegate?.application?(application, continue: activity, restorationHandler: { _ in })
            }
        #elseif os(watchOS)
            @MainActor private static func deliver(_ activity: NSUserActivity) {
                HostApplication.shared?.delegate?.handle?(activity)
            }
        #endif
    }
#endif
