import EventLoop
import PushModel
import Telemetry

/// What the gateway counts.
struct APNsMeasures: Sendable {
    let connectionsOpened: Counter
    let connectFailures: Counter
    let unknownOutcomes: Counter
    let refusedStreams: Counter
    let tokensRefused: Counter
    let queued: Gauge
    let underWay: Gauge
    let streamLimit: Gauge
    private let accepted: Counter
    private let answers: MetricFamily<Counter>
    private let goneAwayByReason: MetricFamily<Counter>
    private let answerSeconds: Histogram
    private let queueSeconds: Histogram

    init(_ registry: MetricRegistry) {
        connectionsOpened = registry.counter(
            "pharos_apns_connections_opened_total", "Connections opened to APNs.")
        connectFailures = registry.counter("pharos_apns_connect_failures_total", "Connections that APNs did not take.")
        unknownOutcomes = registry.counter(
            "pharos_apns_unknown_outcomes_total", "Requests whose answer did not come.")
        refusedStreams = registry.counter(
            "pharos_apns_refused_streams_total", "Requests that APNs did not process and that were sent again.")
        tokensRefused = registry.counter(
            "pharos_apns_provider_tokens_refused_total", "Provider tokens that APNs called expired.")
        queued = registry.gauge("pharos_apns_queued", "Pushes that wait for a stream.")
        underWay = registry.gauge("pharos_apns_under_way", "Pushes that wait for their answer.")
        streamLimit = registry.gauge("pharos_apns_stream_limit", "Streams of a connection, as APNs last said.")
        answers = registry.counters(
            "pharos_apns_answers_total", "Answers of APNs.", labels: ["status", "reason"])
        accepted = answers.series("200", "")
        goneAwayByReason = registry.counters(
            "pharos_apns_goaways_total", "Connections that APNs ended.", labels: ["reason"])
        answerSeconds = registry.histogram("pharos_apns_answer_seconds", "From a request to its answer.")
        queueSeconds = registry.histogram("pharos_apns_queue_seconds", "From the gateway's door to a stream.")
    }

    func answered(_ answer: APNsAnswer, after duration: Duration) {
        answerSeconds.observe(duration.inSeconds)
        if answer.status == 200 {
            accepted.increment()
        } else {
            answers.series(String(answer.status), answer.reason).increment()
        }
    }

    func waitedInQueue(_ duration: Duration) {
        queueSeconds.observe(duration.inSeconds)
    }

    func goneAway(reason: String) {
        goneAwayByReason.series(reason).increment()
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}
