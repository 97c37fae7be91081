/// Bounds of a dispatcher.
public struct DispatcherConfiguration: Sendable {
    /// Deliveries held in memory; the others wait in the store.
    public var deliveriesInMemory = 20_000
    /// Of these, how many one project may have, so that a flood of one leaves room for the others.
    public var deliveriesInMemoryPerProject = 10_000
    /// Deliveries read from the store at a time.
    public var deliveriesPerPage = 256
    /// Between tries of one delivery.
    public var backOff = BackOff()
    /// How often deliveries that wait for a token are looked through for expired ones.
    public var parkedCheckMilliseconds: Int64 = 60_000

    public init() {}
}
