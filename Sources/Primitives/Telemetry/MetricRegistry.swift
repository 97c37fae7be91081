internal import Synchronization

/// All metrics of a process, for the page that Prometheus reads.
///
/// Asking twice for the same name gives the same metric, so parts of which there are several share theirs.
public final class MetricRegistry: Sendable {
    enum Metric: Sendable {
        case counter(MetricFamily<Counter>)
        case gauge(MetricFamily<Gauge>)
        case histogram(MetricFamily<Histogram>)
        case reading(kind: String, @Sendable () -> Double)
    }

    struct Entry: Sendable {
        var help: String
        var metric: Metric
    }

    private let entries = Mutex<[String: Entry]>([:])

    public init() {}

    /// - Parameters:
    ///   - name: By convention `pharos_<what>_total`.
    ///   - help: One sentence.
    public func counter(_ name: String, _ help: String) -> Counter {
        counters(name, help, labels: []).series()
    }

    public func counters(_ name: String, _ help: String, labels: [String]) -> MetricFamily<Counter> {
        let fresh = MetricFamily(labelNames: labels) { Counter() }
        if case .counter(let family) = register(name, help, .counter(fresh)) { return family }
        return fresh
    }

    public func gauge(_ name: String, _ help: String) -> Gauge {
        gauges(name, help, labels: []).series()
    }

    public func gauges(_ name: String, _ help: String, labels: [String]) -> MetricFamily<Gauge> {
        let fresh = MetricFamily(labelNames: labels) { Gauge() }
        if case .gauge(let family) = register(name, help, .gauge(fresh)) { return family }
        return fresh
    }

    /// - Parameter bounds: The buckets' upper bounds; the unit belongs into the name, `_seconds` or `_bytes`.
    public func histogram(
        _ name: String, _ help: String, bounds: [Double] = Histogram.secondsBuckets
    ) -> Histogram {
        histograms(name, help, labels: [], bounds: bounds).series()
    }

    public func histograms(
        _ name: String, _ help: String, labels: [String], bounds: [Double] = Histogram.secondsBuckets
    ) -> MetricFamily<Histogram> {
        let fresh = MetricFamily(labelNames: labels) { Histogram(bounds: bounds) }
        if case .histogram(let family) = register(name, help, .histogram(fresh)) { return family }
        return fresh
    }

    /// A gauge whose value is asked for when the page is read.
    public func gauge(_ name: String, _ help: String, reading: @escaping @Sendable () -> Double) {
        register(name, help, .reading(kind: "gauge", reading))
    }

    /// A counter whose value is asked for when the page is read.
    public func counter(_ name: String, _ help: String, reading: @escaping @Sendable () -> Double) {
        register(name, help, .reading(kind: "counter", reading))
    }

    var sortedEntries: [(name: String, entry: Entry)] {
        entries.withLock { $0 }.sorted { $0.key < $1.key }.map { (name: $0.key, entry: $0.value) }
    }

    /// - Returns: What is registered under the name now: a metric that was there already, or the new one.
    @discardableResult private func register(_ name: String, _ help: String, _ metric: Metric) -> Metric {
        precondition(Self.isName(name), "\(name) is not a metric name")
        return entries.withLock { entries in
            if let known = entries[name] { return known.metric }
            entries[name] = Entry(help: help, metric: metric)
            return metric
        }
    }

    private static func isName(_ name: String) -> Bool {
        let digits: ClosedRange<UInt8> = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = name.utf8.first, !digits.contains(first) else { return false }
        return name.utf8.allSatisfy { byte in
            digits.contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
    }
}
