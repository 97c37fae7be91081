import EventLoop
import FirebasePlatform
import FoundationEssentials
import Synchronization

/// The notifications that apps asked the system to show later. The system keeps them when the app ends.
final class PhoneTimetable: LocalNotificationScheduler {
    private struct State {
        /// By identifier: the number of the call that counts.
        var waiting: [String: UInt64] = [:]
        var calls: UInt64 = 0
        var show: (@Sendable (LocalNotification) -> Void)?
    }

    private let clock: PhoneClock
    private let loop: EventLoop
    /// Seconds that the phone's local time is ahead of UTC.
    private let offsetSeconds: Int
    private let state = Mutex(State())

    init(clock: PhoneClock, loop: EventLoop, offsetSeconds: Int) {
        self.clock = clock
        self.loop = loop
        self.offsetSeconds = offsetSeconds
    }

    /// - Parameter show: Called on the phone's loop.
    func onDue(_ show: @escaping @Sendable (LocalNotification) -> Void) {
        state.withLock { $0.show = show }
    }

    /// As iOS does, a time that has passed is never shown.
    func schedule(_ notification: LocalNotification) {
        guard let local = notification.at.secondsSince1970 else { return }
        let due = Double(local) - Double(offsetSeconds)
        guard due > clock.now().timeIntervalSince1970 else { return }
        let call = state.withLock { state in
            state.calls += 1
            state.waiting[notification.identifier] = state.calls
            return state.calls
        }
        Task(executorPreference: loop) { [weak self, clock] in
            // The clock may have moved since.
            let seconds = due - clock.now().timeIntervalSince1970
            if seconds > 0, (try? await clock.sleep(seconds: seconds)) == nil { return }
            self?.due(notification, call: call)
        }
    }

    private func due(_ notification: LocalNotification, call: UInt64) {
        let show = state.withLock { state -> (@Sendable (LocalNotification) -> Void)? in
            guard state.waiting[notification.identifier] == call else { return nil }
            state.waiting[notification.identifier] = nil
            return state.show
        }
        show?(notification)
    }

    /// The app was removed, and what it asked for with it.
    func removeAll() {
        state.withLock { $0.waiting = [:] }
    }
}
