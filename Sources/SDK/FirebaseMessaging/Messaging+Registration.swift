import FirebaseCore

extension Messaging {
    /// Registers the installation id. The delegate gets the id before the completion is called.
    public func register(completion: @escaping ((any Error)?) -> Void) {
        if let error = registrationRefusal ?? senderRefusal { return completion(error) }
        perform {
            try await $0.register()
        } completion: {
            completion($0.error)
        }
    }

    public func register() async throws {
        if let error = registrationRefusal ?? senderRefusal { throw error }
        try await core?.register()
    }

    /// Ends the registration of the installation id, here and on the server.
    public func unregister(completion: @escaping ((any Error)?) -> Void) {
        if let error = registrationRefusal { return completion(error) }
        perform {
            try await $0.unregister()
        } completion: {
            completion($0.error)
        }
    }

    public func unregister() async throws {
        if let error = registrationRefusal { throw error }
        try await core?.unregister()
    }

    /// Why the registration API is not to be used now.
    private var registrationRefusal: MessagingError? {
        guard let core else { return failure }
        guard core.service.kind == .token else { return nil }
        core.app.log.error("I-FCM002028", "register() needs FirebaseMessagingInstallationIdEnabled to be YES.")
        return .wrongModeForRegistrations
    }

    private var senderRefusal: MessagingError? {
        core?.service.defaultKey.sender.isEmpty == true ? .missingSender : nil
    }
}
