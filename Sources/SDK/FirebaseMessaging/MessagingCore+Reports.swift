import FirebaseCore
import FirebasePlatform

extension MessagingCore {
    /// Reports that wait go out now, and whenever the app comes to the foreground.
    func reportObservations() -> [Observation] {
        guard let container = app.container else { return [] }
        let outbox = EventOutbox.of(container)
        outbox.upload()
        let foreground = platform.appState.observe { [weak outbox] event in
            if event == .didBecomeActive { outbox?.upload() }
        }
        return [foreground]
    }
}
