import EventLoop
import PushModel

/// The messages that were written on a connection and that the client has not acknowledged: oldest first, bounded by
/// the session's window.
struct UnacknowledgedMessages: Sendable {
    private struct Written {
        let streamID: Int32
        let id: DeliveryID
        let time: MonotonicTime
    }

    private var written: [Written] = []

    var count: Int { written.count }
    var ids: [DeliveryID] { written.map(\.id) }

    mutating func append(_ id: DeliveryID, streamID: Int32, at time: MonotonicTime) {
        written.append(Written(streamID: streamID, id: id, time: time))
    }

    /// The client has read every packet up to `streamID`.
    mutating func take(upTo streamID: Int32) -> [DeliveryID] {
        take { $0.streamID <= streamID }
    }

    /// The client names messages; what is not here is passed over.
    mutating func take(_ ids: Set<DeliveryID>) -> [DeliveryID] {
        take { ids.contains($0.id) }
    }

    mutating func take(writtenBy time: MonotonicTime) -> [DeliveryID] {
        take { $0.time <= time }
    }

    private mutating func take(_ matches: (Written) -> Bool) -> [DeliveryID] {
        guard !written.isEmpty else { return [] }
        let taken = written.filter(matches).map(\.id)
        guard !taken.isEmpty else { return [] }
        written = taken.count == written.count ? [] : written.filter { !matches($0) }
        return taken
    }
}
