import PushCore
import PushModel
import Telemetry

/// What became of messages, as Prometheus sees it.
final class DeliveryMetrics: DeliveryObserver {
    private let messages: Counter
    private let delivered, failed, expired, superseded, discarded: Counter
    private let upstream: Counter
    private let retries: Counter
    private let members: Counter
    private let reports: [ReportedEvent.Kind: Counter]

    init(_ registry: MetricRegistry) {
        messages = registry.counter("pharos_messages_accepted_total", "Messages that were made durable.")
        let outcomes = registry.counters(
            "pharos_deliveries_total", "Deliveries that ended, by outcome.", labels: ["outcome"])
        delivered = outcomes.series("accepted")
        failed = outcomes.series("failed")
        expired = outcomes.series("expired")
        superseded = outcomes.series("superseded")
        discarded = outcomes.series("discarded")
        upstream = registry.counter(
            "pharos_upstream_messages_total", "Messages and receipts for app servers that were made durable.")
        members = registry.counter(
            "pharos_fan_out_members_total", "Members of topics and conditions for whom a message was split.")
        let reported = registry.counters(
            "pharos_reported_events_total", "What apps reported of messages, by event.", labels: ["event"])
        reports = Dictionary(
            uniqueKeysWithValues: ReportedEvent.Kind.allCases.map { ($0, reported.series($0.name)) })
        retries = registry.counter("pharos_delivery_retries_total", "Tries that are worth another one.")
    }

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) { messages.increment() }

    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {
        members.increment(by: UInt64(recipients.count))
    }

    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {}

    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {
        if case .retry = answer { retries.increment() }
    }

    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) { count(outcome) }

    func ended(_ delivery: FinishedDelivery) { count(delivery.outcome) }

    func upstream(_ message: UpstreamMessage) { upstream.increment() }

    func reported(_ event: ReportedEvent) { reports[event.kind]?.increment() }

    private func count(_ outcome: DeliveryOutcome) {
        switch outcome {
        case .accepted: delivered.increment()
        case .failed: failed.increment()
        case .expired: expired.increment()
        case .superseded: superseded.increment()
        case .discarded: discarded.increment()
        }
    }
}

/// Tells several observers.
struct DeliveryObservers: DeliveryObserver {
    let all: [any DeliveryObserver]

    func accepted(_ message: ValidatedMessage, recipients: [Registration]) {
        for observer in all { observer.accepted(message, recipients: recipients) }
    }

    func fanOut(_ message: ValidatedMessage, reaches recipients: [Registration], isLast: Bool) {
        for observer in all { observer.fanOut(message, reaches: recipients, isLast: isLast) }
    }

    func translated(_ delivery: QueuedDelivery, into push: ApplePush) {
        for observer in all { observer.translated(delivery, into: push) }
    }

    func answered(_ delivery: QueuedDelivery, _ answer: GatewayAnswer) {
        for observer in all { observer.answered(delivery, answer) }
    }

    func finished(_ delivery: QueuedDelivery, _ outcome: DeliveryOutcome) {
        for observer in all { observer.finished(delivery, outcome) }
    }

    func ended(_ delivery: FinishedDelivery) {
        for observer in all { observer.ended(delivery) }
    }

    func written(_ delivery: QueuedDelivery, as outgoing: OutgoingDelivery) {
        for observer in all { observer.written(delivery, as: outgoing) }
    }

    func upstream(_ message: UpstreamMessage) {
        for observer in all { observer.upstream(message) }
    }

    func upstreamEnded(_ id: UpstreamID, isAcknowledged: Bool) {
        for observer in all { observer.upstreamEnded(id, isAcknowledged: isAcknowledged) }
    }

    func reported(_ event: ReportedEvent) {
        for observer in all { observer.reported(event) }
    }
}
