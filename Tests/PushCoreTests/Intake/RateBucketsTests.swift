import PropertyTesting
import Testing
import Timekeeping

@testable import PushCore

@Suite struct `Buckets of a rate` {
    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_700_000_000_000 + milliseconds) }

    @Test func `give a burst, then one for each interval`() {
        let buckets = RateBuckets<Int>(burst: 3, intervalMilliseconds: 100)
        #expect((0..<3).allSatisfy { _ in buckets.take(1, at: time(0)) == nil })
        #expect(buckets.take(1, at: time(0)) == 100)
        #expect(buckets.take(1, at: time(99)) == 1)
        #expect(buckets.take(1, at: time(100)) == nil)
        #expect(buckets.take(1, at: time(100)) == 100)
        #expect(buckets.take(2, at: time(100)) == nil)
        #expect((0..<3).allSatisfy { _ in buckets.take(1, at: time(10_000)) == nil })
        #expect(buckets.take(1, at: time(10_000)) != nil)
    }

    @Test func `take back what did not happen`() {
        let buckets = RateBuckets<Int>(burst: 1, intervalMilliseconds: 100)
        #expect(buckets.take(1, at: time(0)) == nil)
        buckets.giveBack(1)
        buckets.giveBack(2)
        #expect(buckets.take(1, at: time(0)) == nil)
        #expect(buckets.take(1, at: time(0)) != nil)
    }

    @Test func `are not locked for long by a clock that is set back`() {
        let buckets = RateBuckets<Int>(burst: 2, intervalMilliseconds: 100)
        for _ in 0..<2 { _ = buckets.take(1, at: time(1_000_000_000)) }
        #expect(buckets.take(1, at: time(0)) == 100)
        #expect(buckets.take(1, at: time(100)) == 100)
        #expect(buckets.take(2, at: time(0)) == nil)
    }

    @Test func `remember a bounded number of keys`() {
        let buckets = RateBuckets<Int>(burst: 1, intervalMilliseconds: 1_000, maximumKeys: 640)
        for key in 0..<20_000 { #expect(buckets.take(key, at: time(0)) == nil) }
        #expect(buckets.keyCount <= 2 * 640)
        #expect(buckets.take(19_999, at: time(0)) != nil)
        // Whoever was forgotten starts over.
        #expect((0..<64).contains { buckets.take($0, at: time(0)) == nil })
    }

    @Test func `survive every number`() {
        for (burst, interval) in [(0, 0), (-5, -5), (1, 1), (240, 250)] as [(Int, Int64)] {
            let buckets = RateBuckets<Int>(burst: burst, intervalMilliseconds: interval, maximumKeys: 0)
            for milliseconds in [0, .min, .max, -1] as [Int64] {
                _ = buckets.take(1, at: Timestamp(milliseconds: milliseconds))
            }
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `never give more than burst and intervals allow, nor less`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (burst, interval) = (Int.random(in: 1...9, using: &random), Int64.random(in: 1...50, using: &random))
        let buckets = RateBuckets<Int>(burst: burst, intervalMilliseconds: interval)
        var (now, tokens) = (Int64(0), Double(burst))
        for _ in 0..<2_000 {
            let passed = Int64.random(in: 0...interval, using: &random)
            now += passed
            tokens = min(Double(burst), tokens + Double(passed) / Double(interval))
            let isTaken = buckets.take(1, at: time(now)) == nil
            // Sums of fractions are not exact.
            if abs(tokens - 1) > 1e-6 { #expect(isTaken == (tokens >= 1)) }
            if isTaken { tokens -= 1 }
        }
    }
}
