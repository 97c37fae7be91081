import PushCore

/// Operations that are repeatable and weak: for tests only.
enum WeakSealing {
    static func make() -> Sealing {
        Sealing(
            key: [1], mac: { mix(Array("mac".utf8) + $0 + [0] + $1) }, digest: { mix($0) }, isEqual: { $0 == $1 },
            random: { Array(repeating: 7, count: $0) })
    }

    private static func mix(_ text: [UInt8]) -> [UInt8] {
        var lanes: [UInt64] = [0xcbf2_9ce4_8422_2325, 1, 2, 3]
        for (index, byte) in text.enumerated() {
            for lane in 0..<4 {
                lanes[lane] = (lanes[lane] ^ UInt64(byte) &+ UInt64(index &* (lane + 1))) &* 0x100_0000_01b3
                lanes[lane] ^= lanes[lane] >> 29
            }
        }
        return lanes.flatMap { lane in (0..<8).map { UInt8(truncatingIfNeeded: lane >> UInt64($0 * 8)) } }
    }
}
