import PushCore
import PushModel
import Synchronization
import Timekeeping

/// The registration store's rules over dictionaries: for tests of the core.
final class InMemoryRegistrationStore: RegistrationStore {
    private struct InstallationKey: Hashable {
        var fid: FirebaseInstallationID
        var project: ProjectNumber
    }

    private struct State {
        var devices: [UInt64: UInt64] = [:]
        var installations: [InstallationKey: Installation] = [:]
        var registrations: [RegistrationID: (draft: RegistrationDraft, registration: Registration)] = [:]
        var isBroken = false
    }

    private let state = Mutex(State())

    /// Makes every call fail, as a full disk does.
    func breakDown() { state.withLock { $0.isBroken = true } }

    private func access<Value: Sendable>(
        _ body: (inout sending State) throws(StoreError) -> sending Value
    ) throws(StoreError) -> Value {
        try state.withLock { (state) throws(StoreError) -> Value in
            guard !state.isBroken else { throw .unavailable("broken on purpose") }
            return try body(&state)
        }
    }

    func addDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) {
        try access { $0.devices[device.androidID] = device.securityToken }
    }

    func confirmDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) -> Bool {
        try isDevice(device)
    }

    func isDevice(_ device: DeviceCredentials) throws(StoreError) -> Bool {
        try access { $0.devices[device.androidID] == device.securityToken }
    }

    func knowsDevice(androidID: UInt64) throws(StoreError) -> Bool {
        try access { $0.devices[androidID] != nil }
    }

    func putInstallation(_ installation: Installation) async throws(StoreError) {
        try access { (state) throws(StoreError) in
            let key = InstallationKey(fid: installation.fid, project: installation.project)
            if let old = state.installations[key], old.app != installation.app {
                throw StoreError.conflict("FID")
            }
            state.installations[key] = installation
        }
    }

    func installation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber
    ) throws(StoreError) -> Installation? {
        try access { $0.installations[InstallationKey(fid: fid, project: project)] }
    }

    func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try access { state in
            for (id, entry) in state.registrations
            where entry.registration.fid == fid.text && entry.registration.project == project {
                state.registrations[id]?.registration.ending = .installationDeleted
            }
            return state.installations.removeValue(forKey: InstallationKey(fid: fid, project: project)) != nil
        }
    }

    func register(_ draft: RegistrationDraft) async throws(StoreError) -> Registration {
        try access { state in
            let known = state.registrations.values.first { Self.haveSameKey($0.draft, draft) }
            let id = known?.registration.id ?? RegistrationID(value: Int64(state.registrations.count + 1))
            let isAlive = known.map { $0.registration.ending == nil } ?? false
            let registration = Registration(
                id: id, project: draft.project, app: draft.app, fid: draft.fid, bundleID: draft.bundleID,
                channel: draft.channel, isFIDMode: draft.isFIDMode,
                tokenNonce: isAlive ? known?.registration.tokenNonce ?? 0 : draft.freshNonce,
                androidID: draft.androidID, appVersion: draft.appVersion, sdkVersion: draft.sdkVersion,
                createdAt: known?.registration.createdAt ?? draft.time, confirmedAt: draft.time)
            state.registrations[id] = (draft, registration)
            return registration
        }
    }

    private static func haveSameKey(_ left: RegistrationDraft, _ right: RegistrationDraft) -> Bool {
        left.project == right.project && left.isFIDMode == right.isFIDMode && left.fid == right.fid
            && left.bundleID == right.bundleID && left.sender == right.sender && left.subtype == right.subtype
            && left.scope == right.scope
    }

    func registration(_ id: RegistrationID) throws(StoreError) -> Registration? {
        try access { $0.registrations[id]?.registration }
    }

    func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool {
        try access { state in
            state.registrations.values.contains { $0.registration.fid == fid && $0.registration.project == project }
        }
    }

    func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration? {
        try access { state in
            state.registrations.values.map(\.registration)
                .filter { $0.fid == fid && $0.project == project && $0.ending == nil }
                .max { $0.confirmedAt < $1.confirmedAt }
        }
    }

    func end(
        _ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp
    ) async throws(StoreError) {
        try access { $0.registrations[id]?.registration.ending = ending }
    }

    func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> Bool {
        try access { state in
            guard let found = state.registrations[id]?.registration, found.channel == .apple(address),
                invalidAt.map({ found.confirmedAt <= $0 }) ?? true
            else { return false }
            state.registrations[id]?.registration.ending = .unregisteredByAPNs
            return true
        }
    }

    func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) async throws(StoreError) {
        try access { state in
            guard case .apple(let address?) = state.registrations[id]?.registration.channel else { return }
            state.registrations[id]?.registration.channel = .apple(
                APNsAddress(token: address.token, environment: environment))
        }
    }

    func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) async throws(StoreError) -> Int {
        try access { state in
            let matching = state.registrations.filter { Self.matches($0.value, filter) }
            for id in matching.keys { state.registrations[id]?.registration.ending = .deletedByApp }
            return matching.count
        }
    }

    private static func matches(
        _ entry: (draft: RegistrationDraft, registration: Registration), _ filter: RegistrationFilter
    ) -> Bool {
        entry.registration.ending == nil && filter.project.map { $0 == entry.draft.project } ?? true
            && filter.androidID.map { $0 == entry.draft.androidID } ?? true
            && filter.bundleID.map { $0 == entry.draft.bundleID } ?? true
            && filter.fid.map { $0 == entry.draft.fid } ?? true
            && filter.sender.map { $0 == entry.draft.sender } ?? true
            && filter.scope.map { $0 == entry.draft.scope } ?? true
    }
}
