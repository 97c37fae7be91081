public import PushModel
import Synchronization
public import Timekeeping

/// Gives each message its id: microseconds since 1970, never twice, never backwards.
public final class MessageIDSource: Sendable {
    private let clock: any WallClock
    private let last: Mutex<Int64>

    /// - Parameter last: The largest id that the store holds, so that ids go on after a restart and a clock set back.
    public init(clock: any WallClock, after last: MessageID) {
        self.clock = clock
        self.last = Mutex(last.value)
    }

    public func next() -> MessageID {
        let now = clock.now().milliseconds.multipliedReportingOverflow(by: 1000).partialValue
        return last.withLock { last in
            last = max(last &+ 1, now)
            return MessageID(value: last)
        }
    }
}
