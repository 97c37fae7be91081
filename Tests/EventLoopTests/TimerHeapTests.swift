import Testing

@testable import EventLoop

@Suite struct `Timer heap` {
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `timers come out in order, whatever was inserted and removed before`(seed: UInt64) throws {
        let loop = try EventLoop()
        var random = SeededGenerator(seed: seed)
        var heap = TimerHeap()
        var expected: [ScheduledTimer] = []
        for order in 0..<500 {
            let time = MonotonicTime(nanoseconds: Int64.random(in: 0..<100, using: &random))
            let timer = ScheduledTimer(deadline: time, order: UInt64(order), loop: loop) {}
            heap.insert(timer)
            expected.append(timer)
            guard Int.random(in: 0..<3, using: &random) == 0, let victim = expected.randomElement(using: &random) else {
                continue
            }
            heap.remove(victim)
            heap.remove(victim)
            expected.removeAll { $0 === victim }
        }
        expected.sort(by: ScheduledTimer.precedes)
        #expect(heap.popDue(at: MonotonicTime(nanoseconds: -1)) == nil)
        var popped: [ScheduledTimer] = []
        while let timer = heap.popDue(at: MonotonicTime(nanoseconds: 100)) { popped.append(timer) }
        #expect(popped.map(\.order) == expected.map(\.order))
        #expect(heap.count == 0)
    }

    @Test(
        arguments: [
            (0, Duration.seconds(1), 1_000_000_000), (5, .nanoseconds(-10), -5), (.max - 1, .seconds(1), .max),
            (1, Duration(secondsComponent: .max, attosecondsComponent: 0), .max),
            (-2, Duration(secondsComponent: .min, attosecondsComponent: 0), .min),
        ] as [(Int64, Duration, Int64)])
    func `times stay within their bounds`(start: Int64, delay: Duration, sum: Int64) {
        #expect(MonotonicTime(nanoseconds: start).adding(delay).nanoseconds == sum)
    }

    @Test func `a difference is never negative`() {
        let (early, late) = (MonotonicTime(nanoseconds: .min), MonotonicTime(nanoseconds: .max))
        #expect(early.since(late) == .zero)
        #expect(late.since(early) == .nanoseconds(Int64.max))
    }
}

/// A small generator for repeatable tests (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
