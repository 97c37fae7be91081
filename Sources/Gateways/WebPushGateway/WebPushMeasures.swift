import Telemetry

/// What the gateway counts.
struct WebPushMeasures: Sendable {
    private let answers: MetricFamily<Counter>
    let addressesRefused: Counter
    let failures: Counter

    init(_ registry: MetricRegistry) {
        answers = registry.counters(
            "pharos_web_push_answers_total", "Answers of browsers' push services.", labels: ["status"])
        addressesRefused = registry.counter(
            "pharos_web_push_addresses_refused_total", "Pushes whose endpoint led to an address that is not global.")
        failures = registry.counter(
            "pharos_web_push_failures_total", "Pushes to which no push service gave an answer.")
    }

    /// Statuses outside of HTTP's are counted as one, so that a stranger cannot make series.
    func answered(_ status: Int) {
        answers.series((100...599).contains(status) ? String(status) : "other").increment()
    }
}
