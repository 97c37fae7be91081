import FirebasePlatform
import JSON

/// The events that wait for their upload, oldest first, in one small file. A file that cannot be read counts as empty.
struct WaitingEvents: Sendable {
    static let path = "Google/FirebaseMessaging/message-events.json"
    static let maximumCount = 1000
    /// What no server took in a week is dropped. Unit: milliseconds.
    static let lifetimeMilliseconds: Int64 = 7 * 86_400_000

    private(set) var events: [WaitingEvent] = []
    /// The server asked for silence until then. Unit: milliseconds since 1970.
    var silentUntilMilliseconds: Int64 = 0

    init(in files: any FileStore) {
        guard let bytes = try? files.read(Self.path), let object = try? JSONValue(parsing: bytes) else { return }
        events = (object["events"]?.array ?? []).compactMap { WaitingEvent($0) }.suffix(Self.maximumCount)
        silentUntilMilliseconds = object["silent_until"]?.int64 ?? 0
    }

    mutating func add(_ event: WaitingEvent) {
        events.append(event)
        if events.count > Self.maximumCount { events.removeFirst(events.count - Self.maximumCount) }
    }

    /// - Parameter now: Unit: milliseconds since 1970.
    mutating func dropOld(at now: Int64) {
        events.removeAll { now &- $0.timeMilliseconds > Self.lifetimeMilliseconds }
    }

    /// Takes out what was uploaded.
    mutating func remove(_ uploaded: [WaitingEvent]) {
        for event in uploaded {
            if let index = events.firstIndex(of: event) { events.remove(at: index) }
        }
    }

    func save(in files: any FileStore) throws(FileStoreError) {
        guard !events.isEmpty || silentUntilMilliseconds > 0 else { return try files.remove(Self.path) }
        let object: JSONValue = [
            "events": .array(events.map(\.json)), "silent_until": .integer(silentUntilMilliseconds),
        ]
        try files.write(object.encoded, to: Self.path)
    }
}
