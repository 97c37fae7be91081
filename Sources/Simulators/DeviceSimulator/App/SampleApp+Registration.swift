import FirebaseMessaging

/// What came of a registration call.
public enum RegistrationOutcome: Sendable, Equatable {
    /// The token, or nothing when the installation id itself was registered, or what there was is gone.
    case done(token: String?)
    /// Domain, number and reason, as the SDK gives them.
    case failed(String)

    init(_ token: String?, _ error: (any Error)?) {
        self = error.map { .failed("\($0)") } ?? .done(token: token)
    }
}

extension SampleApp {
    /// Asks for a registration: with its installation id in FID mode, else with a token for a sender.
    ///
    /// - Parameter sender: `nil` for the app's own. FID mode has no other.
    func register(sender: String?, completion: @escaping @Sendable (RegistrationOutcome) -> Void) {
        let messaging = Messaging.messaging()
        if messaging.isInstallationIdEnabled {
            messaging.register { completion(RegistrationOutcome(nil, $0)) }
        } else {
            let calls: any TokenCalls = self
            calls.token(of: sender) { completion(RegistrationOutcome($0, $1)) }
        }
    }

    /// Ends what `register` made.
    func unregister(sender: String?, completion: @escaping @Sendable (RegistrationOutcome) -> Void) {
        let messaging = Messaging.messaging()
        if messaging.isInstallationIdEnabled {
            messaging.unregister { completion(RegistrationOutcome(nil, $0)) }
        } else {
            let calls: any TokenCalls = self
            calls.deleteToken(of: sender) { completion(RegistrationOutcome(nil, $0)) }
        }
    }
}

/// The SDK's calls for tokens. They are deprecated: this protocol stands between, so that the rest of the simulator is
/// not.
protocol TokenCalls {
    func token(of sender: String?, completion: @escaping @Sendable (String?, (any Error)?) -> Void)
    func deleteToken(of sender: String?, completion: @escaping @Sendable ((any Error)?) -> Void)
}

extension SampleApp: TokenCalls {
    @available(*, deprecated)
    func token(of sender: String?, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        guard let sender else { return Messaging.messaging().token(completion: completion) }
        Messaging.messaging().retrieveFCMToken(forSenderID: sender, completion: completion)
    }

    @available(*, deprecated)
    func deleteToken(of sender: String?, completion: @escaping @Sendable ((any Error)?) -> Void) {
        guard let sender else { return Messaging.messaging().deleteToken(completion: completion) }
        Messaging.messaging().deleteFCMToken(forSenderID: sender, completion: completion)
    }
}
