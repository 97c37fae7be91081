import Bytes

/// Where an APNs device token is valid.
public enum APNsEnvironment: String, Hashable, Sendable, CaseIterable {
    case production, sandbox
}

/// The address of an app on an Apple device, as APNs gave it out. Lower-case hex, so that one token is one value.
public struct APNsDeviceToken: Hashable, Sendable {
    /// Digits accepted: 64 today, more for live activities.
    public static let allowedHexDigits = 2...200

    public let hex: String

    /// `nil` when the text is not an even number of hex digits within `allowedHexDigits`.
    public init?(hex: some StringProtocol) {
        guard Self.allowedHexDigits.contains(hex.utf8.count), let bytes = Hex.decode(hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// `nil` when there are too few or too many bytes.
    public init?(bytes: [UInt8]) {
        guard Self.allowedHexDigits.contains(bytes.count * 2) else { return nil }
        hex = Hex.encode(bytes)
    }
}

/// An APNs token and the environment that it belongs to.
public struct APNsAddress: Hashable, Sendable {
    public let token: APNsDeviceToken
    public let environment: APNsEnvironment

    public init(token: APNsDeviceToken, environment: APNsEnvironment) {
        self.token = token
        self.environment = environment
    }
}
