public import PushModel

/// Sends to several devices that are named one by one: a list of tokens, or a device group.
extension SendPipeline {
    /// Source: FCM legacy HTTP protocol, `registration_ids`.
    public static let maximumMulticastTokens = 1_000

    /// Sends one message to each of the tokens (or FIDs).
    ///
    /// - Parameter tokens: 1 to `maximumMulticastTokens`; the door refuses other numbers with its own words.
    /// - Throws: What is wrong with the message, or that nothing can be sent at all now. What is wrong with one recipient
    ///   is in its result.
    public func sendEach(
        _ message: Message, to tokens: [String], in project: Project, validateOnly: Bool = false
    ) async throws(SendError) -> MulticastReceipt {
        let target = SendTarget.tokens(tokens)
        guard (1...Self.maximumMulticastTokens).contains(tokens.count) else { throw .recipientMissing }
        try validator.validate(message, to: target)
        let found = try resolver.registrations(of: tokens, in: project.number)
        let recipients = Self.unique(found.compactMap { try? $0.get() })
        let message = validated(message, for: target, in: project)
        try check(message, for: recipients)
        var failures: [RegistrationID: SendError] = [:]
        if !validateOnly {
            try await failAsScripted(target, recipients: recipients)
            failures = try await deliver(message, to: recipients)
        }
        let results = zip(tokens, found).map { token, result in
            switch result {
            case .success(let registration):
                RecipientResult(token: token, error: failures[registration.id], registration: registration.id)
            case .failure(let error): RecipientResult(token: token, error: error)
            }
        }
        return MulticastReceipt(id: validateOnly || recipients.isEmpty ? nil : message.id, results: results)
    }

    /// Sends to the members of a device group whose registrations live.
    func send(
        _ request: SendRequest, toGroup members: [Registration], in project: Project
    ) async throws(SendError) -> SendReceipt {
        let recipients = request.message.addressees(among: members.filter { $0.ending == nil })
        let message = validated(request.message, for: request.target.asList, in: project)
        try check(message, for: recipients)
        if request.validateOnly { return SendReceipt(id: nil, recipientCount: recipients.count) }
        try await failAsScripted(request.target, recipients: recipients)
        let failures = try await deliver(message, to: recipients)
        let results = members.map { member in
            RecipientResult(
                token: resolver.token(of: member), error: refusal(of: member, request.message) ?? failures[member.id],
                registration: member.id)
        }
        return SendReceipt(id: message.id, recipientCount: recipients.count, groupMembers: results)
    }

    private func refusal(of member: Registration, _ message: Message) -> SendError? {
        guard member.ending == nil else { return .unregistered }
        return message.isFor(member) ? nil : .otherPackage
    }

    /// Accepts the message for the recipients and waits, within the answer patience, for what becomes of them.
    ///
    /// - Returns: The failures that are final.
    private func deliver(
        _ message: ValidatedMessage, to recipients: [Registration]
    ) async throws(SendError) -> [RegistrationID: SendError] {
        guard !recipients.isEmpty else { return [:] }
        try quota?.charge(message.project.number, messages: recipients.count)
        let (recipients, planned, refusals) = admitted(message, for: recipients)
        guard !recipients.isEmpty else { return refusals }
        let queued = try await accept(message, for: recipients, as: planned)
        guard answerPatienceMilliseconds > 0 else {
            deliveries.submit(queued, firstOutcome: nil)
            return refusals
        }
        let outcomes = OutcomesWaiter(count: queued.count)
        deliveries.submit(queued) { outcomes.hear($0, $1) }
        delays.after(milliseconds: answerPatienceMilliseconds) { outcomes.giveUp() }
        let failures = await outcomes.failures()
        if !failures.isEmpty { quota?.refund(message.project.number, messages: failures.count) }
        return failures.merging(refusals) { failure, _ in failure }
    }

    /// Plans the message for those recipients whose devices may get one more.
    private func admitted(
        _ message: ValidatedMessage, for recipients: [Registration]
    ) -> (recipients: [Registration], planned: [PlannedDelivery], refusals: [RegistrationID: SendError]) {
        let planned = planner.plan(message, for: recipients)
        guard let deviceQuota else { return (recipients, planned, [:]) }
        var refusals: [RegistrationID: SendError] = [:]
        for planned in planned {
            refusals[planned.registration] = deviceQuota.refusal(of: planned, acceptedAt: message.acceptedAt)
        }
        guard !refusals.isEmpty else { return (recipients, planned, [:]) }
        quota?.refund(message.project.number, messages: refusals.count)
        return (
            recipients.filter { refusals[$0.id] == nil }, planned.filter { refusals[$0.registration] == nil }, refusals
        )
    }

    private static func unique(_ registrations: [Registration]) -> [Registration] {
        var seen: Set<RegistrationID> = []
        return registrations.filter { seen.insert($0.id).inserted }
    }
}

extension SendTarget {
    /// A group's key as what it is: the name of several devices.
    fileprivate var asList: SendTarget {
        if case .token(let key) = self { .tokens([key]) } else { self }
    }
}
