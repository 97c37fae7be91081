#if canImport(Darwin)
    import Dispatch
    import FirebasePlatform
    import Foundation

    /// The main thread.
    struct MainQueue: MainExecutor {
        var isCurrent: Bool { Thread.isMainThread }

        func enqueue(_ work: @escaping @Sendable () -> Void) {
            DispatchQueue.main.async(execute: work)
        }
    }
#endif
