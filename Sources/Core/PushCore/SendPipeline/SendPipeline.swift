public import PushModel
public import Timekeeping

/// Takes a request from any door to an accepted message: validated, its recipients found, its translation checked,
/// stored, and on its way. Refused requests leave nothing behind.
///
/// The members of topics are the exception: a message to them is accepted as it is, and they are found afterwards.
public struct SendPipeline: Sendable {
    let validator: MessageValidator
    let resolver: RecipientResolver
    private let translator: ApplePushTranslator
    let planner: DeliveryPlanner?
    private let store: any DeliveryStore
    let deliveries: any DeliverySubmission
    private let fanOuts: any FanOutSubmission
    private let ids: MessageIDSource
    private let clock: any WallClock
    let delays: any DelayScheduler
    private let observer: any DeliveryObserver
    let quota: SendQuota?
    let deviceQuota: DeviceQuota?
    private let faults: (any SendFaults)?
    let answerPatienceMilliseconds: Int64
    private let patience: AnswerPatience

    /// - Parameters:
    ///   - planner: `nil` when gateways reach everyone.
    ///   - answerPatienceMilliseconds: How long a send to one device waits for the platform's answer, so that a sender
    ///     learns of a dead token at once; 0 answers as soon as the message is durable.
    ///   - quota: `nil` for no limit.
    ///   - deviceQuota: `nil` for no limit. Messages to topics and conditions are not limited.
    ///   - faults: Failures that were asked for, in the emulator.
    public init(
        validator: MessageValidator, resolver: RecipientResolver, translator: ApplePushTranslator,
        planner: DeliveryPlanner? = nil, store: any DeliveryStore, deliveries: any DeliverySubmission,
        fanOuts: any FanOutSubmission,
        ids: MessageIDSource, clock: any WallClock, delays: any DelayScheduler, observer: any DeliveryObserver,
        quota: SendQuota? = nil, deviceQuota: DeviceQuota? = nil, faults: (any SendFaults)? = nil,
        answerPatienceMilliseconds: Int64 = 1000
    ) {
        self.validator = validator
        self.resolver = resolver
        self.translator = translator
        self.planner = planner
        self.store = store
        self.deliveries = deliveries
        self.fanOuts = fanOuts
        self.ids = ids
        self.clock = clock
        self.delays = delays
        self.observer = observer
        self.quota = quota
        self.deviceQuota = deviceQuota
        self.faults = faults
        self.answerPatienceMilliseconds = answerPatienceMilliseconds
        patience = AnswerPatience(milliseconds: answerPatienceMilliseconds, delays: delays)
    }

    /// - Parameter project: The project that `request.project` names.
    public func send(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt {
        try validator.validate(request.message, to: request.target)
        switch try resolver.recipients(of: request.target, in: project.number) {
        case .device(let registration): return try await send(request, to: registration, in: project)
        case .group(let members): return try await send(request, toGroup: members, in: project)
        case .fanOut: return try await fanOut(request, in: project)
        }
    }

    private func send(
        _ request: SendRequest, to recipient: Registration, in project: Project
    ) async throws(SendError) -> SendReceipt {
        guard request.message.isFor(recipient) else { throw .otherPackage }
        let message = validated(request.message, for: request.target, in: project)
        let template = try checkedTemplate(of: message, for: recipient)
        if request.validateOnly { return SendReceipt(id: nil, recipientCount: 1) }
        try await failAsScripted(request.target, recipients: [recipient])
        try quota?.charge(project.number)
        let planned = planner.plan(message, for: [recipient])
        if let refusal = planned.first.flatMap({ deviceQuota?.refusal(of: $0, acceptedAt: message.acceptedAt) }) {
            quota?.refund(project.number)
            throw refusal
        }
        let queued = try await accept(message, for: [recipient], as: planned)
        try await dispatch(queued, of: message, rendered: template)
        return SendReceipt(id: message.id, recipientCount: 1)
    }

    /// The message is durable before anybody is looked for; nobody to deliver to is no error.
    private func fanOut(_ request: SendRequest, in project: Project) async throws(SendError) -> SendReceipt {
        let message = validated(request.message, for: request.target, in: project)
        try checkForAnyone(message)
        if request.validateOnly { return SendReceipt(id: nil, recipientCount: nil) }
        try await failAsScripted(request.target, recipients: [])
        try quota?.charge(project.number)
        do {
            try await fanOuts.submit(message)
        } catch {
            quota?.refund(project.number)
            throw .unavailable
        }
        return SendReceipt(id: message.id, recipientCount: nil)
    }

    // MARK: Stages

    func validated(_ message: Message, for target: SendTarget, in project: Project) -> ValidatedMessage {
        let now = clock.now()
        return ValidatedMessage(
            id: ids.next(), project: project, target: target, message: message, acceptedAt: now,
            expiresAt: MessageLifetime.expiry(of: message, acceptedAt: now))
    }

    /// Whether each device can get the message; an Apple part is checked even when nobody gets it today.
    func check(_ message: ValidatedMessage, for recipients: [Registration]) throws(SendError) {
        if recipients.contains(where: \.isBrowser) { _ = try BrowserPushTranslator().push(message) }
        let apple = recipients.filter(\.isApple)
        guard let longest = apple.max(by: { $0.fid.utf8.count < $1.fid.utf8.count }) else {
            if message.message.apns != nil { _ = try translator.template(of: message) }
            return
        }
        try translator.check(message, for: longest)
    }

    /// As `check`, for one device; the rendered message is not to be rendered again.
    private func checkedTemplate(
        of message: ValidatedMessage, for recipient: Registration
    ) throws(SendError) -> ApplePushTemplate? {
        // Before the message is accepted, so that the sender hears of it, also when it only asks.
        if recipient.isBrowser { _ = try BrowserPushTranslator().push(message) }
        guard recipient.isApple || message.message.apns != nil else { return nil }
        let template = try translator.template(of: message)
        if recipient.isApple { _ = try template.payload(fid: recipient.fid) }
        return template
    }

    func checkForAnyone(_ message: ValidatedMessage) throws(SendError) {
        try translator.checkForAnyone(message)
    }

    func failAsScripted(_ target: SendTarget, recipients: [Registration]) async throws(SendError) {
        guard let fault = faults?.nextFault(for: target, recipients: recipients) else { return }
        if fault.delayMilliseconds > 0 {
            await withCheckedContinuation { continuation in
                delays.after(milliseconds: fault.delayMilliseconds) { continuation.resume() }
            }
        }
        if let error = fault.error { throw error }
    }

    /// Stores the message for its recipients, of whom there is at least one.
    func accept(
        _ message: ValidatedMessage, for recipients: [Registration], as planned: [PlannedDelivery]
    ) async throws(SendError) -> [QueuedDelivery] {
        let acceptance: Acceptance
        do {
            acceptance = try await store.accept(message, deliveries: planned)
        } catch {
            quota?.refund(message.project.number, messages: recipients.count)
            throw .unavailable
        }
        observer.accepted(message, recipients: recipients)
        for ended in acceptance.ended { observer.ended(ended) }
        return acceptance.queued(message, to: recipients, as: planned)
    }

    /// Sends the delivery on its way. The caller hears how that went, if it ends in time.
    ///
    /// - Throws: The failure of the delivery, which is then final. Without an answer in time the send has succeeded: the
    ///   message is durable and goes on being tried.
    private func dispatch(
        _ queued: [QueuedDelivery], of message: ValidatedMessage, rendered template: ApplePushTemplate?
    ) async throws(SendError) {
        guard patience.milliseconds > 0 else {
            return deliveries.submit(queued, rendered: template, firstOutcome: nil)
        }
        let first = OutcomeWaiter()
        deliveries.submit(queued, rendered: template) { _, outcome in first.hear(outcome) }
        patience.begin(first)
        guard case .failed(let error)? = await first.value() else { return }
        quota?.refund(message.project.number)
        throw error
    }
}

extension Registration {
    fileprivate var isBrowser: Bool {
        if case .web = channel { true } else { false }
    }

    fileprivate var isApple: Bool {
        if case .apple = channel { true } else { false }
    }
}
