/// Calls the delegate's deprecated methods. A protocol stands between, so that the caller is not deprecated in turn.
protocol DeprecatedDelivery: Sendable {
    func deliver(token: String?, to delegate: any MessagingDelegate, of messaging: Messaging)
    func deliver(_ message: ReceivedDirectMessage, to delegate: any MessagingDelegate, of messaging: Messaging)
}

struct DelegateDelivery: DeprecatedDelivery {
    @available(*, deprecated)
    func deliver(token: String?, to delegate: any MessagingDelegate, of messaging: Messaging) {
        delegate.messaging(messaging, didReceiveRegistrationToken: token)
    }

    @available(*, deprecated)
    func deliver(_ message: ReceivedDirectMessage, to delegate: any MessagingDelegate, of messaging: Messaging) {
        delegate.messaging(messaging, didReceive: MessagingRemoteMessage(message))
    }
}

extension RegistrationAnnouncer {
    static let delivery: any DeprecatedDelivery = DelegateDelivery()

    /// Hands a message to the delegate. Call it on main.
    func deliver(_ message: ReceivedDirectMessage) {
        guard let messaging else { return }
        guard let delegate = delegate.value else { return messaging.warnAboutLostMessage() }
        Self.delivery.deliver(message, to: delegate, of: messaging)
    }
}
