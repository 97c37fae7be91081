public import PushModel
public import Timekeeping

/// Makes, changes and finds device groups for app servers. Source: FCM, "Manage device groups", `/fcm/notification`.
public struct DeviceGroups: Sendable {
    public static let maximumNameBytes = 1_024
    /// A call names at most as many tokens as fit several times into a group; more is refused unread.
    public static let maximumTokensPerCall = 1_000

    private let store: any DeviceGroupStore
    private let registrations: RegistrationLookup
    private let keys: DeviceGroupKeyCodec
    private let clock: any WallClock

    public init(
        store: any DeviceGroupStore, registrations: RegistrationLookup, keys: DeviceGroupKeyCodec,
        clock: any WallClock
    ) {
        self.store = store
        self.registrations = registrations
        self.keys = keys
        self.clock = clock
    }

    /// - Parameter tokens: Registration tokens or FIDs. Those that are not live registrations of the project are left
    ///   out; with none left the call fails.
    /// - Returns: The notification key.
    public func create(
        named name: String, tokens: [String], in project: ProjectNumber
    ) async throws(DeviceGroupError) -> String {
        guard (1...Self.maximumNameBytes).contains(name.utf8.count) else { throw .invalidName }
        let members = try members(tokens, in: project)
        return try await change { () async throws(StoreError) in
            try await store.createGroup(named: name, members: members, in: project, at: clock.now())
        }
    }

    /// - Parameters:
    ///   - key: The notification key.
    ///   - name: Must be the group's; `nil` when the sender does not say.
    /// - Returns: The notification key.
    public func add(
        _ tokens: [String], to key: String, named name: String?, in project: ProjectNumber
    ) async throws(DeviceGroupError) -> String {
        let group = try group(ofKey: key, in: project)
        let members = try members(tokens, in: project)
        return try await change { () async throws(StoreError) in
            try await store.addMembers(members, to: group, named: name, in: project)
        }
    }

    /// Tokens that are no longer current, or whose registration ended, can be removed too.
    public func remove(
        _ tokens: [String], from key: String, named name: String?, in project: ProjectNumber
    ) async throws(DeviceGroupError) -> String {
        let group = try group(ofKey: key, in: project)
        guard tokens.count <= Self.maximumTokensPerCall else { throw .tooManyMembers }
        let members = tokens.compactMap { registrations.formerRegistration(token: $0, in: project) }
        guard !members.isEmpty else { throw .noValidMembers }
        return try await change { () async throws(StoreError) in
            try await store.removeMembers(members, from: group, named: name, in: project)
        }
    }

    /// The notification key of a name.
    public func key(named name: String, in project: ProjectNumber) throws(DeviceGroupError) -> String {
        do {
            guard let group = try store.group(named: name, in: project) else { throw DeviceGroupError.notFound }
            return keys.key(of: group)
        } catch let error as DeviceGroupError {
            throw error
        } catch {
            throw .unavailable
        }
    }

    private func group(ofKey key: String, in project: ProjectNumber) throws(DeviceGroupError) -> DeviceGroupID {
        guard let content = keys.decode(key), content.project == project else { throw .notFound }
        return content.group
    }

    private func members(_ tokens: [String], in project: ProjectNumber) throws(DeviceGroupError) -> [RegistrationID] {
        guard tokens.count <= Self.maximumTokensPerCall else { throw .tooManyMembers }
        var members: Set<RegistrationID> = []
        for token in tokens {
            do throws(SendError) {
                members.insert(try registrations.registration(token: token, in: project).id)
            } catch {
                if error.kind == .unavailable { throw .unavailable }
            }
        }
        guard !members.isEmpty else { throw .noValidMembers }
        guard members.count <= DeviceGroup.maximumMembers else { throw .tooManyMembers }
        return members.sorted()
    }

    private func change(
        _ work: () async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError>
    ) async throws(DeviceGroupError) -> String {
        let answer: Result<DeviceGroup, DeviceGroupError>
        do {
            answer = try await work()
        } catch {
            throw .unavailable
        }
        return keys.key(of: try answer.get())
    }
}
