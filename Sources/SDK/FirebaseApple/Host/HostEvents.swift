public import FirebasePlatform
import Synchronization

/// What the proxies of the app's delegates saw, on its way to messaging.
///
/// The proxies live in a module of their own, which only apps with messaging link: App Review asks about APNs methods in
/// apps that have none to send.
public final class HostEvents: PushRegistrationSource, IncomingMessageSource {
    private let main: any MainExecutor
    /// What the observers of then have heard.
    private let latest = Mutex<PushRegistrationEvent?>(nil)
    private let registrations = Observers<PushRegistrationEvent>()
    private let messages = Observers<IncomingMessage>()

    public init(main: any MainExecutor) {
        self.main = main
    }

    public func observe(_ handler: @escaping @Sendable (PushRegistrationEvent) -> Void) -> Observation {
        let observation = registrations.add(handler)
        if let event = latest.withLock({ $0 }) { onMain { handler(event) } }
        return observation
    }

    public func observeMessages(_ handler: @escaping @Sendable (IncomingMessage) -> Void) -> Observation {
        messages.add(handler)
    }

    /// APNs answered the app.
    public func report(_ event: PushRegistrationEvent) {
        onMain { [self] in
            latest.withLock { $0 = event }
            registrations.notify(event)
        }
    }

    /// The system told the app of a message.
    public func report(_ message: IncomingMessage) {
        onMain { [messages] in messages.notify(message) }
    }

    private func onMain(_ work: @escaping @Sendable () -> Void) {
        if main.isCurrent { work() } else { main.enqueue(work) }
    }
}
