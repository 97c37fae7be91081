/// What a check-in gives a device: a pair of 64-bit numbers. They are kept as whole numbers, for a double would round
/// them.
struct CheckInCredentials: Sendable, Hashable {
    var deviceID: UInt64
    var secret: UInt64

    /// `Authorization` of the register calls.
    var authorization: String { "AidLogin \(deviceID):\(secret)" }

    /// The form in the secure store.
    var stored: String { "\(deviceID)|\(secret)" }

    init(deviceID: UInt64, secret: UInt64) {
        self.deviceID = deviceID
        self.secret = secret
    }

    init?(stored text: String) {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 2, let deviceID = UInt64(parts[0]), let secret = UInt64(parts[1]), deviceID != 0 else {
            return nil
        }
        self.init(deviceID: deviceID, secret: secret)
    }
}

/// A device that checked in, and what the server said beside its credentials.
struct CheckIn: Sendable, Hashable {
    var credentials: CheckInCredentials
    /// Unit: milliseconds since 1970.
    var lastCheckInMilliseconds: Int64
    var digest = ""
    /// Sent back as the `info` header.
    var versionInfo = ""
    var deviceDataVersion = ""
    var settings: [String: String] = [:]

    static let lifetimeMilliseconds: Int64 = 7 * 86_400_000

    /// Whether it may be used at that time, in that locale.
    func isValid(atMilliseconds now: Int64, locale: String, storedLocale: String?) -> Bool {
        locale == storedLocale && now >= lastCheckInMilliseconds
            && now - lastCheckInMilliseconds < Self.lifetimeMilliseconds
    }
}
