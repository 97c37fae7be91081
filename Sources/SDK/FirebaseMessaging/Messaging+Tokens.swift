import FirebaseCore
import FirebasePlatform

extension Messaging {
    /// The stored token of the default sender. Without one a request starts in the background and this is `nil`; the
    /// delegate gets the token. Always `nil` while the app registers with its installation id.
    @available(*, deprecated, message: "Use register(completion:): the delegate gets the installation id.")
    public var fcmToken: String? {
        guard let core, core.service.kind == .token else { return nil }
        if let record = try? core.service.store.record(core.service.defaultKey), record.kind == .token {
            return record.token
        }
        core.platform.executors.start {
            _ = try? await core.service.registration(core.service.defaultKey, apns: core.binding)
        }
        return nil
    }

    /// The token of the default sender: the stored one if it is fresh, else a new one from the server.
    @available(*, deprecated, message: "Use register(completion:): the delegate gets the installation id.")
    public func token(completion: @escaping (String?, (any Error)?) -> Void) {
        retrieveFCMToken(forSenderID: defaultSender, completion: completion)
    }

    @available(*, deprecated, message: "Use register(): the delegate gets the installation id.")
    public func token() async throws -> String {
        try await retrieveFCMToken(forSenderID: defaultSender)
    }

    /// The token of any sender.
    @available(*, deprecated, message: "Use register(completion:): the delegate gets the installation id.")
    public func retrieveFCMToken(
        forSenderID senderID: String, completion: @escaping (String?, (any Error)?) -> Void
    ) {
        if let error = tokenRefusal ?? (senderID.isEmpty ? MessagingError.missingSender : nil) {
            return completion(nil, error)
        }
        perform {
            try await $0.token(of: senderID)
        } completion: {
            completion($0.value, $0.error)
        }
    }

    @available(*, deprecated, message: "Use register(): the delegate gets the installation id.")
    public func retrieveFCMToken(forSenderID senderID: String) async throws -> String {
        if let error = tokenRefusal { throw error }
        guard let core, !senderID.isEmpty else { throw MessagingError.missingSender }
        return try await core.token(of: senderID)
    }

    /// Deletes the token of the default sender, here and on the server.
    @available(*, deprecated, message: "Use unregister(completion:) instead.")
    public func deleteToken(completion: @escaping ((any Error)?) -> Void) {
        deleteFCMToken(forSenderID: defaultSender, completion: completion)
    }

    @available(*, deprecated, message: "Use unregister() instead.")
    public func deleteToken() async throws {
        try await deleteFCMToken(forSenderID: defaultSender)
    }

    /// Deletes the token of any sender, here and on the server.
    @available(*, deprecated, message: "Use unregister(completion:) instead.")
    public func deleteFCMToken(forSenderID senderID: String, completion: @escaping ((any Error)?) -> Void) {
        if let error = tokenRefusal ?? (senderID.isEmpty ? Self.emptySender : nil) { return completion(error) }
        perform {
            try await $0.deleteToken(of: senderID)
        } completion: {
            completion($0.error)
        }
    }

    @available(*, deprecated, message: "Use unregister() instead.")
    public func deleteFCMToken(forSenderID senderID: String) async throws {
        if let error = tokenRefusal { throw error }
        guard let core, !senderID.isEmpty else { throw Self.emptySender }
        try await core.deleteToken(of: senderID)
    }

    /// Deletes every registration and the check-in, here and on the server. An app that registers by itself then gets
    /// a new registration, and the completion tells how that went.
    public func deleteData(completion: @escaping ((any Error)?) -> Void) {
        guard core != nil else { return completion(failure) }
        perform {
            try await $0.deleteData()
        } completion: {
            completion($0.error)
        }
    }

    public func deleteData() async throws {
        guard let core else { throw failure }
        try await core.deleteData()
    }
}

extension Messaging {
    private static let emptySender = MessagingError(.invalidRequest, reason: "The sender ID is empty.")

    private var defaultSender: String { core?.service.defaultKey.sender ?? "" }

    /// Why the token API is not to be used now.
    private var tokenRefusal: MessagingError? {
        guard let core else { return failure }
        guard core.service.kind == .installationID else { return nil }
        core.app.log.error("I-FCM002027", "Token APIs do nothing while FirebaseMessagingInstallationIdEnabled is YES.")
        return .wrongModeForTokens
    }

    /// Runs an operation of the core and calls back on main.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (MessagingCore) async throws -> Value,
        completion: @escaping (Result<Value, any Error>) -> Void
    ) {
        guard let core else { return completion(.failure(failure)) }
        let callback = MainCallback(completion)
        core.platform.executors.start { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await work(core))
            } catch {
                result = .failure(error)
            }
            onMain { callback(result) }
        }
    }
}

extension Result {
    var value: Success? { if case .success(let value) = self { value } else { nil } }
    var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
