/// Messages that somebody else hands over, as the system does.
public final class ManualIncomingMessages: IncomingMessageSource {
    private let observers = Observers<[String: PayloadValue]>()

    public init() {}

    public func observeMessages(_ handler: @escaping @Sendable ([String: PayloadValue]) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Hands a message over. Call it on the main executor.
    public func deliver(_ payload: [String: PayloadValue]) {
        observers.notify(payload)
    }
}
