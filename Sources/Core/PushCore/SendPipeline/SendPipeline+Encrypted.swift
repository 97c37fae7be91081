public import PushModel

extension SendPipeline {
    /// Takes a message that an app server encrypted for a browser of this service. Nobody on the way can read it, so
    /// there is nothing to validate but what travels beside it.
    ///
    /// - Parameters:
    ///   - browser: A live registration on the device channel.
    ///   - token: Its token, as the endpoint named it.
    /// - Returns: When the message is durable.
    public func send(
        encrypted content: EncryptedContent, priority: MessagePriority, timeToLive: TimeToLive,
        to browser: Registration,
        token: String, in project: Project
    ) async throws(SendError) -> MessageID {
        guard case .device = browser.channel, browser.androidID != 0, browser.ending == nil else {
            throw .unregistered
        }
        let message = validated(
            Message(
                android: AndroidOptions(priority: priority, timeToLive: timeToLive), encrypted: content,
                origin: MessageOrigin(.webPush)),
            for: .token(token), in: project)
        let planned = planner.plan(message, for: [browser])
        if let refusal = planned.first.flatMap({ deviceQuota?.refusal(of: $0, acceptedAt: message.acceptedAt) }) {
            throw refusal
        }
        // Browsers of no project share no quota: one site's flood would silence all others.
        if project != .none { try quota?.charge(project.number) }
        let queued = try await accept(message, for: [browser], as: planned)
        deliveries.submit(queued, rendered: nil, firstOutcome: nil)
        return message.id
    }
}
