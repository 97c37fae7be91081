public import PushModel
public import Timekeeping

/// Takes a request from any door to an accepted message: validated, its recipients found, its translation checked,
/// stored, and on its way. Refused requests leave nothing behind.
public struct SendPipeline: Sendable {
    private let validator: MessageValidator
    private let resolver: RecipientResolver
    private let translator: ApplePushTranslator
    private let store: any DeliveryStore
    private let deliveries: any DeliverySubmission
    private let ids: MessageIDSource
    private let clock: any WallClock
    private let delays: any DelayScheduler
    private let observer: any DeliveryObserver
    private let quota: SendQuota?
    private let faults: (any SendFaults)?
    private let answerPatienceMilliseconds: Int64

    /// - Parameters:
    ///   - answerPatienceMilliseconds: How long a send to one device waits for the platform's answer, so that a sender
    ///     learns of a dead token at once; 0 answers as soon as the message is durable.
    ///   - quota: `nil` for no limit.
    ///   - faults: Failures that were asked for, in the emulator.
    public init(
        validator: MessageValidator, resolver: RecipientResolver, translator: ApplePushTranslator,
        store: any DeliveryStore, deliveries: any DeliverySubmission, ids: MessageIDSource, clock: any WallClock,
        delays: any DelayScheduler, observer: any DeliveryObserver, quota: SendQuota? = nil,
        faults: (any SendFaults)? = nil, answerPatienceMilliseconds: Int64 = 1000
    ) {
        self.validator = validator
        self.resolver = resolver
        self.translator = translator
        self.store = store
        self.deliveries = deliveries
        self.ids = ids
        self.clock = clock
        self.delays = delays
        self.observer = observer
        self.quota = quota
        self.faults = faults
        self.answerPatienceMilliseconds = answerPatienceMilliseconds
    }

    /// - Parameter project: The project that `request.project` names.
    public func send(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt {
        try validator.validate(request.message, to: request.target)
        let recipients = try resolver.recipients(of: request.target, in: project.number)
        let message = validated(request, in: project)
        try check(message, for: recipients)
        if request.validateOnly { return SendReceipt(id: nil, recipientCount: recipients.count) }
        try await failAsScripted(request.target, recipients: recipients)
        try quota?.charge(project.number)
        let queued = try await accept(message, for: recipients)
        try await dispatch(queued, of: message)
        return SendReceipt(id: message.id, recipientCount: recipients.count)
    }

    private func validated(_ request: SendRequest, in project: Project) -> ValidatedMessage {
        let now = clock.now()
        return ValidatedMessage(
            id: ids.next(), project: project, target: request.target, message: request.message, acceptedAt: now,
            expiresAt: MessageLifetime.expiry(of: request.message, acceptedAt: now))
    }

    /// Whether each Apple device can get the message; an Apple part is checked even when nobody gets it today.
    private func check(_ message: ValidatedMessage, for recipients: [Registration]) throws(SendError) {
        let apple = recipients.filter(\.isApple)
        guard let longest = apple.max(by: { $0.fid.utf8.count < $1.fid.utf8.count }) else {
            if message.message.apns != nil { _ = try translator.template(of: message) }
            return
        }
        try translator.check(message, for: longest)
    }

    private func failAsScripted(_ target: SendTarget, recipients: [Registration]) async throws(SendError) {
        guard let fault = faults?.nextFault(for: target, recipients: recipients) else { return }
        if fault.delayMilliseconds > 0 {
            await withCheckedContinuation { continuation in
                delays.after(milliseconds: fault.delayMilliseconds) { continuation.resume() }
            }
        }
        if let error = fault.error { throw error }
    }

    /// Nobody to deliver to is no error: a topic may be without subscribers.
    private func accept(
        _ message: ValidatedMessage, for recipients: [Registration]
    ) async throws(SendError) -> [QueuedDelivery] {
        var ids: [DeliveryID] = []
        if !recipients.isEmpty {
            do {
                ids = try await store.accept(message, recipients: recipients.map(\.id))
            } catch {
                quota?.refund(message.project.number)
                throw .unavailable
            }
        }
        observer.accepted(message, recipients: recipients)
        return zip(ids, recipients).map { QueuedDelivery(id: $0, message: message, recipient: $1) }
    }

    /// Sends the deliveries on their way. The caller of a send to one device hears how that went, if it ends in time.
    ///
    /// - Throws: The failure of the only delivery, which is then final. Without an answer in time the send has
    ///   succeeded: the message is durable and goes on being tried.
    private func dispatch(_ queued: [QueuedDelivery], of message: ValidatedMessage) async throws(SendError) {
        guard !queued.isEmpty else { return }
        guard !message.target.isTopic, answerPatienceMilliseconds > 0 else {
            return deliveries.submit(queued, firstOutcome: nil)
        }
        let first = OutcomeWaiter()
        deliveries.submit(queued) { _, outcome in first.hear(outcome) }
        delays.after(milliseconds: answerPatienceMilliseconds) { first.settle(nil) }
        guard case .failed(let error)? = await first.value() else { return }
        quota?.refund(message.project.number)
        throw error
    }
}

extension Registration {
    fileprivate var isApple: Bool {
        if case .apple = channel { true } else { false }
    }
}
