/// What is stored of a device's security token. The token has 63 random bits, so 16 bytes of a hash lose nothing.
struct DeviceSecret: Sendable {
    private static let storedBytes = 16

    /// SHA-256.
    let hash: @Sendable ([UInt8]) -> [UInt8]

    func stored(_ securityToken: UInt64) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: securityToken >> (56 - 8 * $0)) }
        return Array(hash(Array("pharos device ".utf8) + bytes).prefix(Self.storedBytes))
    }

    /// Compares in constant time.
    func matches(_ securityToken: UInt64, stored: [UInt8]) -> Bool {
        let offered = self.stored(securityToken)
        guard offered.count == stored.count, !stored.isEmpty else { return false }
        return zip(offered, stored).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
