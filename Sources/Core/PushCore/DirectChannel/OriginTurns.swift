import PushModel
import Synchronization

/// One at a time for each origin: a device may send a message twice within a moment, and the second must find what the
/// first one left.
final class OriginTurns: Sendable {
    private let waiting = Mutex<[UpstreamOrigin: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until nobody else has the origin's turn. Whoever begins must end.
    func begin(_ origin: UpstreamOrigin) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[origin] != nil else {
                    waiting[origin] = []
                    return true
                }
                waiting[origin]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func end(_ origin: UpstreamOrigin) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[origin]?.isEmpty == false else {
                waiting[origin] = nil
                return nil
            }
            return waiting[origin]?.removeFirst()
        }
        next?.resume()
    }
}
