import PushCore
import Synchronization

/// Operations that are repeatable and weak: for tests only.
enum TestSealing {
    static func make(seed: UInt64 = 1) -> Sealing {
        let state = SeededBytes(seed: seed)
        return Sealing(
            key: Array("test key".utf8), mac: { mix(Array("mac".utf8) + $0 + [0] + $1) },
            digest: { mix(Array("digest".utf8) + $0) }, isEqual: { $0 == $1 }, random: { state.next($0) })
    }

    /// 32 bytes that depend on every byte of the text.
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

/// A seeded generator (xorshift) behind a lock.
private final class SeededBytes: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed | 1)
    }

    func next(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24)
            }
        }
    }
}
