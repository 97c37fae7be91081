public import Timekeeping

/// A message translated for one Apple device: the whole APNs request but its provider token.
public struct ApplePush: Sendable, Equatable {
    /// The hex token of the path `/3/device/…`: the device's, or that of a live activity.
    public var pathToken: String
    public var environment: APNsEnvironment
    /// Request headers, names in lower case, without `authorization` and pseudo-headers: `apns-topic`,
    /// `apns-push-type`, `apns-priority`, `apns-expiration`, `apns-id`, and `apns-collapse-id` when given.
    public var headers: [Message.DataEntry]
    /// The JSON payload, at most 4,096 bytes (VoIP: 5,120).
    public var payload: [UInt8]
    /// When the push may no longer be tried.
    public var expiresAt: Timestamp

    public init(
        pathToken: String, environment: APNsEnvironment, headers: [Message.DataEntry], payload: [UInt8],
        expiresAt: Timestamp
    ) {
        self.pathToken = pathToken
        self.environment = environment
        self.headers = headers
        self.payload = payload
        self.expiresAt = expiresAt
    }

    /// The first value of a header.
    public func header(_ name: String) -> String? {
        headers.first { $0.key == name }?.value
    }
}
