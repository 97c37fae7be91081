import HTTPSemantics
import JSON
import PushCore
import PushModel
import Reports
import Synchronization
import Timekeeping

/// One who watches, as server-sent events. There is no queue: what comes next is looked for in the tail when the client
/// has taken what came before.
final class TailFeed: Sendable {
    private struct State {
        var last: UInt64
        var sleeper: CheckedContinuation<Void, Never>?
        /// Something may have happened since the last look.
        var isStirred = true
        var heartbeats = 0
    }

    private static let eventsPerPiece = 200
    /// A line now and then tells proxies and clients that the connection lives. Unit: milliseconds.
    private static let heartbeatMilliseconds: Int64 = 15_000
    /// Then the client connects anew, and proves again that it may watch: about ten minutes.
    private static let maximumHeartbeats = 40

    private let tail: LiveTail
    private let project: ProjectNumber
    private let delays: any DelayScheduler
    private let watcher = Mutex<Int?>(nil)
    private let state: Mutex<State>

    /// `nil` when too many watch.
    init?(_ tail: LiveTail, of project: ProjectNumber, after last: UInt64?, delays: any DelayScheduler) {
        self.tail = tail
        self.project = project
        self.delays = delays
        state = Mutex(State(last: last ?? tail.newest))
        guard let number = tail.watch({ [weak self] in self?.stir() }) else { return nil }
        watcher.withLock { $0 = number }
    }

    deinit {
        if let number = watcher.withLock({ $0 }) { tail.leave(number) }
    }

    var answer: ConsoleAnswer {
        let fields = HTTPFields([("content-type", "text/event-stream"), ("x-accel-buffering", "no")])
        return ConsoleAnswer(
            HTTPResponse(
                status: 200, fields: fields, body: Array("retry: 2000\n\n".utf8),
                stream: HTTPBodyStream { await self.next() }))
    }

    private func next() async -> [UInt8]? {
        while !Task.isCancelled, !tail.isClosed {
            let last = state.withLock { state in
                state.isStirred = false
                return state.last
            }
            let (events, through) = tail.events(of: project, after: last, limit: Self.eventsPerPiece)
            state.withLock { $0.last = through }
            if !events.isEmpty { return events.flatMap(\.lines) }
            guard await sleep() else { continue }
            let heartbeats = state.withLock { state in
                state.heartbeats += 1
                return state.heartbeats
            }
            return heartbeats > Self.maximumHeartbeats ? nil : Array(":\n\n".utf8)
        }
        return nil
    }

    /// - Returns: Whether nothing happened for as long as a heartbeat waits.
    private func sleep() async -> Bool {
        let due = Flag()
        delays.after(milliseconds: Self.heartbeatMilliseconds) { [weak self] in
            due.isSet.store(true, ordering: .relaxed)
            self?.wake()
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if state.isStirred { return true }
                    state.sleeper = continuation
                    return false
                }
                if isAwake || Task.isCancelled { wake(or: isAwake ? continuation : nil) }
            }
        } onCancel: {
            wake()
        }
        return due.isSet.load(ordering: .relaxed) && !state.withLock { $0.isStirred }
    }

    private func stir() {
        state.withLock { $0.isStirred = true }
        wake()
    }

    private func wake(or given: CheckedContinuation<Void, Never>? = nil) {
        let sleeper = state.withLock { state in
            defer { state.sleeper = nil }
            return state.sleeper
        }
        (given ?? sleeper)?.resume()
    }
}

/// Whether a heartbeat is due.
private final class Flag: Sendable {
    let isSet = Atomic(false)
}

extension LiveTail.Event {
    /// The event as `text/event-stream` has it.
    fileprivate var lines: [UInt8] {
        var object: JSONObject = [
            "at": .string(time.rfc3339), "event": .string(kind.rawValue.uppercased()), "messageId": .string(message),
        ]
        if let registration { object["registrationId"] = .string(String(registration.value)) }
        switch kind {
        case .accepted: object["title"] = .string(text)
        case .retried, .failed, .reported: object["reason"] = .string(text)
        case .delivered: break
        }
        let name = kind == .accepted ? "accepted" : kind == .reported ? "report" : "delivery"
        return Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + Array(JSONValue.object(object).text.utf8)
            + Array("\n\n".utf8)
    }
}
