internal import Synchronization

/// A number that only grows. Any thread may add to it.
public final class Counter: Sendable {
    private let total = Atomic<UInt64>(0)

    public init() {}

    public func increment(by amount: UInt64 = 1) {
        total.wrappingAdd(amount, ordering: .relaxed)
    }

    public var value: UInt64 { total.load(ordering: .relaxed) }
}

/// A number that goes up and down. Any thread may change it.
public final class Gauge: Sendable {
    private let level = Atomic<Int64>(0)

    public init() {}

    public func set(_ value: Int64) {
        level.store(value, ordering: .relaxed)
    }

    public func add(_ amount: Int64) {
        level.wrappingAdd(amount, ordering: .relaxed)
    }

    public var value: Int64 { level.load(ordering: .relaxed) }
}

/// Counts observations by size, in buckets that are fixed from the start. Any thread may observe.
public final class Histogram: Sendable {
    /// Seconds, from a tenth of a millisecond to ten seconds: for durations of requests.
    public static let secondsBuckets: [Double] = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The upper bounds of the buckets, rising; one more bucket takes the rest.
    public let bounds: [Double]
    private let counts: [Counter]
    private let sumBits = Atomic<UInt64>(Double.zero.bitPattern)

    public init(bounds: [Double] = Histogram.secondsBuckets) {
        self.bounds = bounds.sorted()
        counts = (0...bounds.count).map { _ in Counter() }
    }

    /// NaN is not counted.
    public func observe(_ value: Double) {
        guard !value.isNaN else { return }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count].increment()
        var bits = sumBits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: bits) + value
            let (exchanged, original) = sumBits.weakCompareExchange(
                expected: bits, desired: sum.bitPattern, ordering: .relaxed)
            if exchanged { return }
            bits = original
        }
    }

    /// How many observations lie at or below each bound, and how many there are in all.
    var cumulativeCounts: [UInt64] {
        var total: UInt64 = 0
        return counts.map { count in
            total &+= count.value
            return total
        }
    }

    public var count: UInt64 { cumulativeCounts.last ?? 0 }
    public var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }
}
