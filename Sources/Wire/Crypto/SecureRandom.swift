internal import COpenSSL

/// Unpredictable numbers from the library's generator, also for `Int.random(in:using:)`.
public struct SecureRandom: RandomNumberGenerator, Sendable {
    public init() {}

    public mutating func next() -> UInt64 {
        Self.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(count, 1)) { output, initialized in
            // Without randomness no key and no token is safe: there is no way to go on.
            precondition(RAND_bytes(output.baseAddress, Int32(clamping: count)) == 1, "no secure random numbers")
            initialized = count
        }
    }
}
