import Telemetry

/// What the connection server counts.
struct CCSMeasures: Sendable {
    let connections: Gauge
    let sessions: Gauge
    let upstream: Counter
    let acknowledged: Counter
    let lateAcknowledgements: Counter
    private let logins: MetricFamily<Counter>
    private let downstream: MetricFamily<Counter>

    init(_ registry: MetricRegistry) {
        connections = registry.gauge("pharos_xmpp_connections", "Connections of app servers, logged in or not.")
        sessions = registry.gauge("pharos_xmpp_sessions", "App servers that are logged in.")
        upstream = registry.counter(
            "pharos_xmpp_upstream_written_total", "Upstream messages and receipts written to app servers.")
        acknowledged = registry.counter(
            "pharos_xmpp_upstream_acknowledged_total", "Upstream messages that their connection acknowledged.")
        lateAcknowledgements = registry.counter(
            "pharos_xmpp_late_acknowledgements_total",
            "Acknowledgements of messages that the connection did not have, or no more.")
        logins = registry.counters("pharos_xmpp_logins_total", "Logins of app servers.", labels: ["result"])
        downstream = registry.counters(
            "pharos_xmpp_downstream_total", "Messages that app servers sent.", labels: ["result"])
    }

    func login(_ succeeds: Bool) {
        logins.series(succeeds ? "accepted" : "refused").increment()
    }

    func downstream(_ succeeds: Bool) {
        downstream.series(succeeds ? "accepted" : "refused").increment()
    }
}
