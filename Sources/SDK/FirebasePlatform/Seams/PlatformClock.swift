#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What time it is, and waiting.
public protocol PlatformClock: Sendable {
    func now() -> Date
    /// Waits on this clock, so that virtual time moves every delay. Ends early with an error when the task is cancelled.
    func sleep(seconds: Double) async throws(CancellationError)
}
