#if canImport(Darwin)
    import FirebasePlatform
    import Foundation

    /// Posts to the default notification centre.
    struct CenterPoster: NotificationPoster {
        func post(_ name: NotificationName, object: (any Sendable)?, userInfo: [String: any Sendable]) {
            NotificationCenter.default.post(
                name: name, object: object, userInfo: userInfo.isEmpty ? nil : userInfo as [AnyHashable: Any])
        }
    }
#endif
