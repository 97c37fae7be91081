import EventLoop
import Synchronization

extension VirtualIPhone {
    /// The app asks for a registration, or for a token of another sender.
    /// - Returns: What the SDK answered; it may take as long as the network does.
    public func register(sender: String? = nil) async throws(Failure) -> RegistrationOutcome {
        try await ask { $0.register(sender: sender, completion: $1) }
    }

    /// The app gives its registration up, or the token of another sender.
    public func unregister(sender: String? = nil) async throws(Failure) -> RegistrationOutcome {
        try await ask { $0.unregister(sender: sender, completion: $1) }
    }

    private func ask(
        _ call: @escaping @Sendable (SampleApp, @escaping @Sendable (RegistrationOutcome) -> Void) -> Void
    ) async throws(Failure) -> RegistrationOutcome {
        guard let app = sampleApp else { throw .notRunning }
        return await withCheckedContinuation { continuation in
            let isAccepted = loop.execute { [self] in
                inContainer { call(app) { continuation.resume(returning: $0) } }
            }
            if !isAccepted { continuation.resume(returning: .failed("The phone is off.")) }
        }
    }
}
