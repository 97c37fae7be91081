internal import Synchronization

/// The series of one metric, one for each combination of label values.
///
/// Looking a series up takes a lock and a hash: a hot path keeps the series that it needs.
public final class MetricFamily<Series: Sendable>: Sendable {
    /// Combinations beyond this share one series whose labels all say `other`: label values from outside must not
    /// fill the memory.
    public static var maximumSeries: Int { 1000 }

    let labelNames: [String]
    private let makeSeries: @Sendable () -> Series
    private let series = Mutex<[[String]: Series]>([:])

    init(labelNames: [String], makeSeries: @escaping @Sendable () -> Series) {
        self.labelNames = labelNames
        self.makeSeries = makeSeries
    }

    /// - Parameter values: As many as the family has label names, in their order; missing ones are empty.
    public func series(_ values: String...) -> Series {
        series(labelled: values)
    }

    func series(labelled values: [String]) -> Series {
        var values = Array(values.prefix(labelNames.count))
        values += repeatElement("", count: labelNames.count - values.count)
        return series.withLock { series in
            if let known = series[values] { return known }
            if series.count >= Self.maximumSeries { values = values.map { _ in "other" } }
            if let known = series[values] { return known }
            let fresh = makeSeries()
            series[values] = fresh
            return fresh
        }
    }

    /// All series with their labels, in the order of their label values.
    var all: [(labels: [(name: String, value: String)], series: Series)] {
        series.withLock { $0 }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { values, series in
                (zip(labelNames, values).map { (name: $0, value: $1) }, series)
            }
    }
}
