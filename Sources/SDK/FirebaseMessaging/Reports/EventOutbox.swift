import FirebaseCore
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps events on disk until the server has them.
///
/// Uploads start with each event, with the app, and when it comes to the foreground. What no server took then waits for
/// the next of these.
final class EventOutbox: Sendable {
    static let eventsPerUpload = 100

    private struct State {
        var waiting: WaitingEvents?
        var isUploading = false
    }

    private let platform: Platform
    private let container: WeakReference<FirebaseContainer>
    private let state = Mutex(State())

    /// The outbox of a device's process.
    static func of(_ container: FirebaseContainer) -> EventOutbox {
        container.part { EventOutbox($0) }
    }

    private init(_ container: FirebaseContainer) {
        platform = container.platform
        self.container = WeakReference(value: container)
    }

    /// On disk when it returns, unless the disk is full.
    func add(_ event: MessageEvent) {
        let now = platform.clock.now()
        let waiting = WaitingEvent(
            timeMilliseconds: Self.milliseconds(now),
            timeZoneOffsetSeconds: Int64(platform.device.localTimeOffsetSeconds(at: now)),
            productID: event.productID, bytes: event.encoded)
        change { $0.add(waiting) }
        upload()
    }

    /// Uploads what waits, if anything does.
    func upload() {
        let starts = state.withLock { state in
            let waiting = state.waiting ?? WaitingEvents(in: platform.files)
            state.waiting = waiting
            guard !waiting.events.isEmpty, !state.isUploading else { return false }
            state.isUploading = true
            return true
        }
        guard starts else { return }
        platform.executors.start { [self] in
            while let batch = nextBatch() {
                guard await upload(batch) else { return state.withLock { $0.isUploading = false } }
            }
        }
    }

    /// What goes next; `nil` ends the upload.
    private func nextBatch() -> [WaitingEvent]? {
        state.withLock { state in
            let now = Self.milliseconds(platform.clock.now())
            state.waiting?.dropOld(at: now)
            guard let waiting = state.waiting, !waiting.events.isEmpty, waiting.silentUntilMilliseconds <= now,
                container.value != nil
            else {
                state.isUploading = false
                return nil
            }
            return Array(waiting.events.prefix(Self.eventsPerUpload))
        }
    }

    /// - Returns: Whether the server has answered for these events, one way or the other.
    private func upload(_ events: [WaitingEvent]) async -> Bool {
        guard let container = container.value else { return false }
        let now = Self.milliseconds(platform.clock.now())
        let request = EventBatch(events: events, sentAtMilliseconds: now).request(
            to: EventLogDestination(container), platform: platform)
        let response = try? await platform.transport.send(request)
        switch response.map(EventBatchReply.init) {
        case .taken(let silence):
            change { waiting in
                waiting.remove(events)
                waiting.silentUntilMilliseconds = silence > 0 ? now + silence : 0
            }
        case .refused:
            container.log.warning(
                "I-FCM020011", "The server refuses reports of messages: status \(response?.status ?? 0).")
            change { $0.remove(events) }
        case .later, nil: return false
        }
        return true
    }

    private func change(_ body: (inout WaitingEvents) -> Void) {
        state.withLock { state in
            var waiting = state.waiting ?? WaitingEvents(in: platform.files)
            body(&waiting)
            state.waiting = waiting
            try? waiting.save(in: platform.files)
        }
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
    }
}

/// Something that is not kept alive.
private struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let value: Object?
    init(value: Object) { self.value = value }
}
