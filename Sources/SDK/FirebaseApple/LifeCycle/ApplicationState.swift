#if canImport(Darwin)
    import FirebasePlatform
    import Foundation
    import Synchronization

    /// The app's state, followed through the notifications of the system. Lives as long as the process.
    final class ApplicationState: AppStateSource {
        private let state: Mutex<AppState>
        private let observers = Observers<AppStateEvent>()

        /// - Parameter isExtension: App extensions have no state and no life cycle of an app.
        init(isExtension: Bool, main: any MainExecutor) {
            state = Mutex(isExtension ? .absent : .inactive)
            guard !isExtension else { return }
            for (name, signal) in HostApplication.signals {
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                    self?.receive(signal)
                }
            }
            if main.isCurrent { readState() } else { main.enqueue { [weak self] in self?.readState() } }
        }

        var current: AppState { state.withLock { $0 } }

        func observe(_ handler: @escaping @Sendable (AppStateEvent) -> Void) -> Observation {
            observers.add(handler)
        }

        private func readState() {
            let now = MainActor.assumeIsolated { HostApplication.state }
            state.withLock { $0 = now }
        }

        private func receive(_ signal: LifeCycleSignal) {
            if let next = signal.state { state.withLock { $0 = next } }
            if let event = signal.event { observers.notify(event) }
        }
    }
#endif
