extension MessagingCore {
    func token(of sender: String) async throws -> String {
        try await service.registration(TokenRecord.Key(sender: sender, scope: "*"), apns: binding).record.token
    }

    func deleteToken(of sender: String) async throws {
        try await service.deleteToken(TokenRecord.Key(sender: sender, scope: "*"))
    }

    func register() async throws {
        let registration = try await service.registration(service.defaultKey, apns: binding)
        guard !registration.wasAnnounced else { return }
        announcer.announce(registration.record.token, kind: .installationID, always: true)
    }

    func unregister() async throws {
        let id = try await service.unregister()
        announcer.announceUnregistered(id)
    }

    func deleteData() async throws {
        try await service.deleteEverything()
        guard isAutoInitEnabled, let binding, !service.defaultKey.sender.isEmpty else { return }
        _ = try await service.registration(service.defaultKey, apns: binding)
    }
}
