import Telemetry

/// What the device channel counts.
final class ChannelMeasures: Sendable {
    let connections: Gauge
    let devices: Gauge
    let written: Counter
    let acknowledged: Counter
    let pagesRead: Counter
    let unknownPackets: Counter
    private let logins: MetricFamily<Counter>
    private let upstream: MetricFamily<Counter>
    private let ends: MetricFamily<Counter>

    init(_ registry: MetricRegistry) {
        connections = registry.gauge("pharos_device_connections", "Connections of devices, logged in or not.")
        devices = registry.gauge("pharos_device_sessions", "Devices that are logged in.")
        written = registry.counter("pharos_device_messages_written_total", "Messages written to devices.")
        acknowledged = registry.counter(
            "pharos_device_messages_acknowledged_total", "Messages that devices acknowledged on their connection.")
        pagesRead = registry.counter("pharos_device_inbox_reads_total", "Looks into the inbox of a connected device.")
        unknownPackets = registry.counter("pharos_device_unknown_packets_total", "Packets of unknown kinds, skipped.")
        logins = registry.counters("pharos_device_logins_total", "Logins of devices.", labels: ["result"])
        upstream = registry.counters("pharos_device_upstream_total", "Messages from devices.", labels: ["result"])
        ends = registry.counters("pharos_device_session_ends_total", "Sessions that ended.", labels: ["reason"])
    }

    func login(_ result: String) {
        logins.series(result).increment()
    }

    func upstream(_ result: String) {
        upstream.series(result).increment()
    }

    func ended(_ reason: String) {
        ends.series(reason).increment()
    }
}

extension SessionEnd {
    /// For counting: without what came from outside.
    var label: String {
        switch self {
        case .versionNotServed: "version"
        case .loginTimedOut: "login_timeout"
        case .notALogin, .secondLogin: "protocol"
        case .malformedLogin: "malformed_login"
        case .refused: "refused"
        case .badStream: "bad_stream"
        case .closedByClient: "closed_by_client"
        case .silent: "silent"
        case .superseded: "superseded"
        case .draining: "draining"
        case .storeFailed: "store"
        }
    }
}
