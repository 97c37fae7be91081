import JSON

/// How long each of many operations took.
struct Latencies: Sendable {
    private var nanoseconds: [Int64] = []

    init(expected: Int) {
        nanoseconds.reserveCapacity(expected)
    }

    mutating func append(_ value: Int64) {
        nanoseconds.append(value)
    }

    /// Milliseconds: median, 99 %, 99.9 %, mean and the worst.
    var report: JSONObject {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return JSONObject() }
        func part(_ share: Double) -> JSONValue {
            .rounded(Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1e6)
        }
        let mean = Double(sorted.reduce(0, +)) / Double(sorted.count)
        return [
            "p50_ms": part(0.5), "p99_ms": part(0.99), "p999_ms": part(0.999), "mean_ms": .rounded(mean / 1e6),
            "max_ms": .rounded(Double(last) / 1e6),
        ]
    }
}
