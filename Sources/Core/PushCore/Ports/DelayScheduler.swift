/// Runs work later. The composition root gives an event loop's timers.
public protocol DelayScheduler: Sendable {
    /// - Parameter milliseconds: Real time, not the clock's.
    func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void)
}
