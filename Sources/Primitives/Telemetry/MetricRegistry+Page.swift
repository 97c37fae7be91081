extension MetricRegistry {
    /// The content type of `page()`.
    public static let pageContentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All metrics in the text format of Prometheus, version 0.0.4, in the order of their names.
    public func page() -> String {
        var page = ""
        for (name, entry) in sortedEntries { entry.append(to: &page, name: name) }
        return page
    }
}

extension MetricRegistry.Entry {
    fileprivate func append(to page: inout String, name: String) {
        page += "# HELP \(name) \(help.escaped(quotes: false))\n"
        page += "# TYPE \(name) \(metric.kind)\n"
        switch metric {
        case .counter(let family):
            for (labels, counter) in family.all { page += line(name, labels, "\(counter.value)") }
        case .gauge(let family):
            for (labels, gauge) in family.all { page += line(name, labels, "\(gauge.value)") }
        case .histogram(let family):
            for (labels, histogram) in family.all { page += lines(name, labels, histogram) }
        case .reading(_, let read):
            page += line(name, [], number(read()))
        }
    }

    private func lines(
        _ name: String, _ labels: [(name: String, value: String)], _ histogram: Histogram
    ) -> String {
        let bounds = histogram.bounds.map(number) + ["+Inf"]
        let counts = histogram.cumulativeCounts
        let buckets = zip(bounds, counts).map { bound, count in
            line(name + "_bucket", labels + [(name: "le", value: bound)], "\(count)")
        }
        return buckets.joined() + line(name + "_sum", labels, number(histogram.sum))
            + line(name + "_count", labels, "\(counts.last ?? 0)")
    }

    private func line(_ name: String, _ labels: [(name: String, value: String)], _ value: String) -> String {
        guard !labels.isEmpty else { return "\(name) \(value)\n" }
        let list = labels.map { "\($0.name)=\"\($0.value.escaped(quotes: true))\"" }.joined(separator: ",")
        return "\(name){\(list)} \(value)\n"
    }

    private func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}

extension MetricRegistry.Metric {
    fileprivate var kind: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        case .reading(let kind, _): kind
        }
    }
}

extension String {
    fileprivate func escaped(quotes: Bool) -> String {
        var text = ""
        for character in unicodeScalars {
            switch character {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\"" where quotes: text += "\\\""
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
