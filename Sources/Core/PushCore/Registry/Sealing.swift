/// The few cryptographic operations that the core needs. The composition root gives OpenSSL's.
public struct Sealing: Sendable {
    /// HMAC-SHA-256 under a key: (key, text) → 32 bytes.
    public let mac: @Sendable (_ key: [UInt8], _ text: [UInt8]) -> [UInt8]
    /// SHA-256.
    public let digest: @Sendable ([UInt8]) -> [UInt8]
    /// A comparison whose time does not depend on the contents.
    public let isEqual: @Sendable ([UInt8], [UInt8]) -> Bool
    /// That many unpredictable bytes.
    public let random: @Sendable (Int) -> [UInt8]
    /// The key of this purpose.
    public let key: [UInt8]
    private let preparedMAC: PreparedMAC?
    private let sealer: @Sendable ([UInt8]) -> [UInt8]

    /// Makes the MAC of one key, with whatever can be done once for many texts.
    public typealias PreparedMAC = @Sendable (_ key: [UInt8]) -> @Sendable (_ text: [UInt8]) -> [UInt8]

    /// - Parameter preparedMAC: The same as `mac`, for keys that seal many texts.
    public init(
        key: [UInt8],
        mac: @escaping @Sendable (_ key: [UInt8], _ text: [UInt8]) -> [UInt8],
        preparedMAC: PreparedMAC? = nil,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8],
        isEqual: @escaping @Sendable ([UInt8], [UInt8]) -> Bool,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.key = key
        self.mac = mac
        self.preparedMAC = preparedMAC
        if let preparedMAC {
            sealer = preparedMAC(key)
        } else {
            sealer = { text in mac(key, text) }
        }
        self.digest = digest
        self.isEqual = isEqual
        self.random = random
    }

    /// The same operations under a key of their own, so that a seal of one purpose is worthless for another.
    public func derived(for purpose: String) -> Sealing {
        Sealing(
            key: seal(Array(purpose.utf8)), mac: mac, preparedMAC: preparedMAC, digest: digest, isEqual: isEqual,
            random: random)
    }

    /// The seal of a text under the key of this purpose.
    public func seal(_ text: [UInt8]) -> [UInt8] {
        sealer(text)
    }

    /// An unpredictable integer.
    public func randomInteger() -> UInt64 {
        random(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
