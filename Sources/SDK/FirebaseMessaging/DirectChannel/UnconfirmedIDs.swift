import FirebasePlatform
import JSON

/// Messages that came over the direct channel and of which the server may not know that: the next login names them, so
/// that they do not come again. Kept across launches.
struct UnconfirmedIDs: Sendable, Equatable {
    /// A login has room for these; older ones go first, and may then come again.
    static let maximumCount = 1000

    /// The device that the messages were for.
    private(set) var deviceID: UInt64 = 0
    /// Oldest first.
    private(set) var ids: [String] = []

    init() {}

    /// Ids of another device mean nothing to the server.
    mutating func use(deviceID: UInt64) {
        guard self.deviceID != deviceID else { return }
        self.deviceID = deviceID
        ids = []
    }

    /// - Returns: Whether the message is new.
    mutating func insert(_ id: String) -> Bool {
        guard !ids.contains(id) else { return false }
        ids.append(id)
        if ids.count > Self.maximumCount { ids.removeFirst(ids.count - Self.maximumCount) }
        return true
    }

    mutating func remove(_ confirmed: [String]) {
        let confirmed = Set(confirmed)
        ids.removeAll { confirmed.contains($0) }
    }
}

extension UnconfirmedIDs {
    static let path = "Google/FirebaseMessaging/unconfirmed-messages.json"

    /// What was stored. A file that cannot be read counts as empty: then some messages come again.
    init(in files: any FileStore) {
        guard let bytes = try? files.read(Self.path),
            let file = try? JSONValue(parsing: bytes, options: JSONOptions(maximumDepth: 4, maximumBytes: 1 << 20))
        else { return }
        deviceID = file["device"]?.uint64 ?? 0
        ids = (file["ids"]?.array ?? []).compactMap(\.string).suffix(Self.maximumCount)
    }

    func store(in files: any FileStore) throws(FileStoreError) {
        guard !ids.isEmpty else { return try files.remove(Self.path) }
        let file: JSONValue = ["device": .integer(deviceID), "ids": .array(ids.map { .string($0) })]
        try files.write(file.encoded, to: Self.path)
    }
}
