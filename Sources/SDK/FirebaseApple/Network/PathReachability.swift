#if canImport(Darwin)
    import Dispatch
    import FirebasePlatform
    import Network
    import Synchronization

    /// Whether there is a network, as the system's path monitor sees it. Lives as long as the process.
    final class PathReachability: ReachabilitySource {
        private struct Seen: Equatable {
            var isReachable = true
            var isCellular = false
        }

        private let monitor = NWPathMonitor()
        private let main: any MainExecutor
        private let seen = Mutex(Seen())
        private let observers = Observers<Bool>()

        init(main: any MainExecutor) {
            self.main = main
            monitor.pathUpdateHandler = { [weak self] path in
                self?.receive(
                    Seen(isReachable: path.status == .satisfied, isCellular: path.usesInterfaceType(.cellular)))
            }
            monitor.start(queue: DispatchQueue(label: "com.google.firebase.reachability"))
        }

        deinit { monitor.cancel() }

        var isReachable: Bool { seen.withLock(\.isReachable) }
        var isCellular: Bool { seen.withLock(\.isCellular) }

        func observe(_ handler: @escaping @Sendable (Bool) -> Void) -> Observation {
            observers.add(handler)
        }

        private func receive(_ now: Seen) {
            let before = seen.withLock { seen in
                defer { seen = now }
                return seen
            }
            guard before.isReachable != now.isReachable else { return }
            main.enqueue { [observers] in observers.notify(now.isReachable) }
        }
    }
#endif
