public import PushModel
public import Timekeeping

/// Device groups: up to `DeviceGroup.maximumMembers` registrations behind one notification key. A group is gone with
/// its last member. Members whose registration ended stay until they are removed.
public protocol DeviceGroupStore: Sendable {
    /// - Returns: The group, or `nameTaken` or `tooManyMembers`.
    func createGroup(
        named name: String, members: [RegistrationID], in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError>

    /// Adds members; those who are in already change nothing.
    /// - Parameter name: Must be the group's; `nil` is not compared.
    /// - Returns: The group, or `notFound`, `nameMismatch` or `tooManyMembers`.
    func addMembers(
        _ members: [RegistrationID], to group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError>

    /// Removes members; those who are not in change nothing.
    /// - Returns: The group, without members when it is gone now; or `notFound` or `nameMismatch`.
    func removeMembers(
        _ members: [RegistrationID], from group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError>

    func group(_ id: DeviceGroupID) throws(StoreError) -> DeviceGroup?
    func group(named name: String, in project: ProjectNumber) throws(StoreError) -> DeviceGroup?
    /// The next groups of a project, by name.
    func groups(in project: ProjectNumber, after name: String?, limit: Int) throws(StoreError) -> [DeviceGroup]
}

/// No groups at all.
public struct NoDeviceGroups: DeviceGroupStore {
    public init() {}

    public func createGroup(
        named name: String, members: [RegistrationID], in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.tooManyMembers) }
    public func addMembers(
        _ members: [RegistrationID], to group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.notFound) }
    public func removeMembers(
        _ members: [RegistrationID], from group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.notFound) }
    public func group(_ id: DeviceGroupID) throws(StoreError) -> DeviceGroup? { nil }
    public func group(named name: String, in project: ProjectNumber) throws(StoreError) -> DeviceGroup? { nil }
    public func groups(
        in project: ProjectNumber, after name: String?, limit: Int
    ) throws(StoreError) -> [DeviceGroup] { [] }
}
