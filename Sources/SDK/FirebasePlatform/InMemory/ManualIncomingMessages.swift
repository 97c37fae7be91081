/// Messages that somebody else hands over, as the system does.
public final class ManualIncomingMessages: IncomingMessageSource {
    private let observers = Observers<IncomingMessage>()

    public init() {}

    public func observeMessages(_ handler: @escaping @Sendable (IncomingMessage) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Hands a message over. Call it on the main executor.
    public func deliver(_ message: IncomingMessage) {
        observers.notify(message)
    }
}
