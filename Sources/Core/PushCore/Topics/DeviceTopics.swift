import PushModel

/// Subscribes app instances that ask for themselves, in the token era: the device's credentials and the instance's token
/// prove them.
///
/// Source: `/iid/register` of the Apple SDK and `register3` of Android, with `X-gcm.topic`.
public struct DeviceTopics: Sendable {
    private static let prefix = "/topics/"

    private let store: any RegistrationStore
    private let tokens: RegistrationTokenCodec
    private let subscriptions: TopicSubscriptions

    public init(store: any RegistrationStore, tokens: RegistrationTokenCodec, subscriptions: TopicSubscriptions) {
        self.store = store
        self.tokens = tokens
        self.subscriptions = subscriptions
    }

    /// - Parameters:
    ///   - request: Its `sender` is the instance's token.
    ///   - name: The topic, as a rule with `/topics/` before it.
    ///   - joins: Whether to subscribe or to unsubscribe. Either is no error when it was so before.
    public func change(
        _ request: ClassicRegistration, topic name: String, joins: Bool
    ) async throws(ClassicRegistrationError) {
        let device = try store.provenDevice(request)
        let registration = try registration(of: request, on: device)
        guard let topic = TopicName(name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name)
        else { throw .invalidParameters }
        do {
            if joins {
                try await subscriptions.subscribe(registration, to: topic, by: .app)
            } else {
                try await subscriptions.unsubscribe(registration, from: topic)
            }
        } catch {
            throw Self.answer(to: error)
        }
    }

    /// The live registration of the token, when it is this device's.
    private func registration(
        of request: ClassicRegistration, on device: DeviceCredentials
    ) throws(ClassicRegistrationError) -> Registration {
        guard let content = tokens.decode(request.sender) else { throw .invalidParameters }
        do {
            guard let registration = try store.registration(content.registration), registration.ending == nil,
                registration.project == content.project, registration.tokenNonce == content.nonce,
                registration.androidID == device.androidID, registration.bundleID == request.app
            else { throw ClassicRegistrationError.invalidParameters }
            return registration
        } catch let error as ClassicRegistrationError {
            throw error
        } catch {
            throw .serviceNotAvailable
        }
    }

    private static func answer(to error: TopicError) -> ClassicRegistrationError {
        switch error {
        case .malformedToken, .unknownRegistration, .senderIDMismatch, .denied: .invalidParameters
        case .tooManyTopics: .tooManySubscribers
        case .changeRateExceeded: .topicRateExceeded
        case .unavailable: .serviceNotAvailable
        }
    }
}
