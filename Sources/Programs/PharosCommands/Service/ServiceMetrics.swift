import HTTPServer
import Telemetry

/// What the HTTP server counts, as Prometheus sees it.
final class ServiceMetrics: HTTPServerMetrics {
    private let connections: Gauge
    private let inFlight: Gauge
    private let answers: MetricFamily<Counter>
    /// The series of the commonest answer, at hand.
    private let good: Counter
    private let refusals: MetricFamily<Counter>
    private let durations: Histogram

    init(_ registry: MetricRegistry) {
        connections = registry.gauge("pharos_http_connections", "Open HTTP connections.")
        inFlight = registry.gauge("pharos_http_requests_in_flight", "Requests being answered.")
        answers = registry.counters("pharos_http_requests_total", "Answered requests.", labels: ["status"])
        good = answers.series("200")
        refusals = registry.counters(
            "pharos_http_refusals_total", "Requests that broke a limit or the protocol.", labels: ["status"])
        durations = registry.histogram(
            "pharos_http_request_seconds", "From the whole request to its answer, in seconds.")
    }

    func connectionOpened() { connections.add(1) }
    func connectionClosed() { connections.add(-1) }
    func requestStarted() { inFlight.add(1) }

    func requestEnded(_ exchange: HTTPExchange) {
        inFlight.add(-1)
        if exchange.status == 200 {
            good.increment()
        } else {
            answers.series(String(exchange.status)).increment()
        }
        let (seconds, attoseconds) = exchange.duration.components
        durations.observe(Double(seconds) + Double(attoseconds) / 1e18)
    }

    func requestRefused(status: Int) { refusals.series(String(status)).increment() }
}
