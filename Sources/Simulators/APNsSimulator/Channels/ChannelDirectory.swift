import Bytes

/// A broadcast channel of an app. Source: Apple, "Sending channel management requests to APNs".
struct Channel: Equatable {
    /// Whether the latest push is kept for devices that are away.
    let storesLatest: Bool
}

/// The channels of one environment.
struct ChannelDirectory {
    static let maximumChannels = 10_000

    private var channels: [String: [String: Channel]] = [:]
    /// Devices that follow a channel, by channel id.
    private var followers: [String: Set<String>] = [:]

    func channel(_ id: String, of bundleID: String) -> Channel? {
        channels[bundleID]?[id]
    }

    func ids(of bundleID: String) -> [String] {
        channels[bundleID, default: [:]].keys.sorted()
    }

    mutating func create(storesLatest: Bool, for bundleID: String) throws(Rejection) -> String {
        guard channels[bundleID, default: [:]].count < Self.maximumChannels else {
            throw Rejection(.cannotCreateChannelConfiguration)
        }
        var random = SystemRandomNumberGenerator()
        let id = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        channels[bundleID, default: [:]][id] = Channel(storesLatest: storesLatest)
        return id
    }

    mutating func remove(_ id: String, of bundleID: String) {
        channels[bundleID]?[id] = nil
        followers[id] = nil
    }

    // MARK: Devices

    mutating func follow(_ id: String, device: String) {
        followers[id, default: []].insert(device)
    }

    mutating func unfollow(_ id: String, device: String) {
        followers[id]?.remove(device)
    }

    func devices(following id: String) -> [String] {
        followers[id, default: []].sorted()
    }
}
