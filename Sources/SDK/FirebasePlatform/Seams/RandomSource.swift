/// Unpredictable bytes on a device, seeded ones in tests.
public protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
    /// A whole number in `0..<bound`, for jitter. `bound` is at least 1.
    public func integer(below bound: UInt32) -> UInt32 {
        let raw = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return bound > 1 ? raw % bound : 0
    }
}
