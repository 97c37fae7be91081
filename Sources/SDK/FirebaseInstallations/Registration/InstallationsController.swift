import FirebaseCore
import FirebasePlatform
import Synchronization

/// The rules of one installation: made on the device, registered in the background, refreshed when asked for, replaced
/// when the server forgot it.
final class InstallationsController: Sendable {
    private let app: FirebaseApp
    private let store: InstallationsStore
    private let client: InstallationsClient
    /// Network calls, one at a time: a delete never overtakes a registration.
    private let operations: SerialOperations
    private let cachedItem = Mutex<InstallationsItem?>(nil)
    private let isRegistering = Mutex(false)
    let idChanges = Observers<Void>()

    init(app: FirebaseApp) {
        self.app = app
        store = InstallationsStore(app: app)
        client = InstallationsClient(app: app)
        operations = SerialOperations(on: app.platform.executors)
    }

    func close() {
        operations.close()
    }

    /// The id, made now when there is none, without waiting for the network. Registration follows by itself.
    func installationID() throws(InstallationsErrorCode) -> String {
        let item = try currentItem()
        if !item.isRegistered { registerInBackground() }
        return item.id
    }

    func authToken(forcingRefresh: Bool) async -> Result<InstallationsItem.AuthToken, InstallationsErrorCode> {
        await operations.run { [self] in
            await result { () async throws(InstallationsErrorCode) in
                try await usableAuthToken(forcingRefresh: forcingRefresh, mayStartOver: true)
            }
        }
    }

    func delete() async -> Result<Void, InstallationsErrorCode> {
        await operations.run { [self] in
            await result { () async throws(InstallationsErrorCode) in try await deleteNow() }
        }
    }

    private func result<Value>(
        _ work: () async throws(InstallationsErrorCode) -> Value
    ) async -> Result<Value, InstallationsErrorCode> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension InstallationsController {
    private func currentItem() throws(InstallationsErrorCode) -> InstallationsItem {
        let (item, isNew) = try cachedItem.withLock { cached throws(InstallationsErrorCode) in
            if let cached { return (cached, false) }
            if let stored = try store.load() {
                cached = stored
                return (stored, false)
            }
            let made = newItem()
            try store.save(made)
            cached = made
            return (made, true)
        }
        if isNew { announceChange() }
        return item
    }

    private func newItem() -> InstallationsItem {
        guard let legacy = app.platform.legacyIdentity, let id = legacy.instanceID(), InstallationID.isValid(id) else {
            return InstallationsItem(id: InstallationID.make(from: app.platform.random))
        }
        return InstallationsItem(id: id, iidDefaultToken: legacy.defaultToken())
    }

    private func registerInBackground() {
        let starts = isRegistering.withLock { isRegistering in
            defer { isRegistering = true }
            return !isRegistering
        }
        guard starts else { return }
        operations.enqueue { [self] in
            _ = try? await registeredItem()
            isRegistering.withLock { $0 = false }
        }
    }

    /// - Parameter mayChangeID: Whether an id that another device has is given up for a new one.
    private func registeredItem(
        mayChangeID: Bool = true
    ) async throws(InstallationsErrorCode) -> InstallationsItem {
        let item = try currentItem()
        guard !item.isRegistered else { return item }
        let registered: InstallationsItem
        do {
            registered = try await client.create(item, mayBeTaken: mayChangeID)
        } catch .idIsTaken {
            app.log.warning("I-FIS002002", "Another device has this installation id: making a new one.")
            app.platform.legacyIdentity?.forget()
            try forget()
            return try await registeredItem(mayChangeID: false)
        } catch {
            throw Self.error(of: error)
        }
        try keep(registered)
        if registered.id != item.id { announceChange() }
        return registered
    }

    private func usableAuthToken(
        forcingRefresh: Bool, mayStartOver: Bool
    ) async throws(InstallationsErrorCode) -> InstallationsItem.AuthToken {
        let wasRegistered = try currentItem().isRegistered
        var item = try await registeredItem()
        let mayUseCached = !forcingRefresh || !wasRegistered
        if mayUseCached, let token = item.usableAuthToken(at: app.platform.clock.now()) { return token }
        do {
            let token = try await client.generateAuthToken(item)
            item.authToken = token
            try? keep(item)
            return token
        } catch .installationIsGone where mayStartOver {
            app.log.warning("I-FIS002001", "The server does not know this installation any more: making a new one.")
            try forget()
            return try await usableAuthToken(forcingRefresh: false, mayStartOver: false)
        } catch {
            throw Self.error(of: error)
        }
    }

    private func deleteNow() async throws(InstallationsErrorCode) {
        let item = try cachedItem.withLock { cached throws(InstallationsErrorCode) in
            if let cached { return cached as InstallationsItem? }
            return try store.load()
        }
        guard let item else { return }
        if item.isRegistered {
            do {
                try await client.delete(item)
            } catch {
                throw Self.error(of: error)
            }
        }
        try forget()
        app.platform.legacyIdentity?.forget()
        announceChange()
    }

    private func keep(_ item: InstallationsItem) throws(InstallationsErrorCode) {
        try store.save(item)
        cachedItem.withLock { $0 = item }
    }

    private func forget() throws(InstallationsErrorCode) {
        try store.remove()
        cachedItem.withLock { $0 = nil }
    }

    private func announceChange() {
        idChanges.notify(())
        let name = app.name
        let notifications = app.platform.notifications
        app.onMain {
            notifications.post(
                .InstallationIDDidChange, object: nil, userInfo: [InstallationIDDidChangeAppNameKey: name])
        }
    }

    private static func error(of failure: InstallationsClient.Failure) -> InstallationsErrorCode {
        switch failure {
        case .error(let error): error
        case .installationIsGone:
            InstallationsErrorCode(.unknown, reason: "The server does not know this installation.")
        case .idIsTaken:
            InstallationsErrorCode(.unknown, reason: "Another device has this installation id.")
        }
    }
}
