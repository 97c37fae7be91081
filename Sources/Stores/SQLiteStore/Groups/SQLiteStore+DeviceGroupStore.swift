public import PushCore
public import PushModel
public import Timekeeping

extension SQLiteStore: DeviceGroupStore {
    public func createGroup(
        named name: String, members: [RegistrationID], in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> {
        try await writer.write { (context) throws(StoreError) in
            try context.createGroup(named: name, members: members, in: project, at: time)
        }
    }

    public func addMembers(
        _ members: [RegistrationID], to group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> {
        try await writer.write { (context) throws(StoreError) in
            try context.addMembers(members, to: group, named: name, in: project)
        }
    }

    public func removeMembers(
        _ members: [RegistrationID], from group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> {
        try await writer.write { (context) throws(StoreError) in
            try context.removeMembers(members, from: group, named: name, in: project)
        }
    }

    public func group(_ id: DeviceGroupID) throws(StoreError) -> DeviceGroup? {
        try reading { (reader) throws(StoreError) in try reader.group(id) }
    }

    public func group(named name: String, in project: ProjectNumber) throws(StoreError) -> DeviceGroup? {
        try reading { (reader) throws(StoreError) in try reader.group(named: name, in: project) }
    }

    public func groups(
        in project: ProjectNumber, after name: String?, limit: Int
    ) throws(StoreError) -> [DeviceGroup] {
        try reading { (reader) throws(StoreError) in try reader.groups(in: project, after: name, limit: limit) }
    }

    private func reading<Value>(
        _ body: (GroupReader) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try readers.read { (connection) throws(StoreError) in
            try connection.readingOneState { () throws(StoreError) in try body(GroupReader(connection: connection)) }
        }
    }
}
