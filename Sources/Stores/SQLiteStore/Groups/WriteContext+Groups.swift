import PushCore
import PushModel
import Timekeeping

/// Each call decides before it changes anything.
extension WriteContext {
    typealias GroupAnswer = Result<DeviceGroup, DeviceGroupError>

    func createGroup(
        named name: String, members: [RegistrationID], in project: ProjectNumber, at time: Timestamp
    ) throws(StoreError) -> GroupAnswer {
        let reader = GroupReader(connection: connection)
        let members = Set(members)
        guard !members.isEmpty else { return .failure(.noValidMembers) }
        guard members.count <= DeviceGroup.maximumMembers else { return .failure(.tooManyMembers) }
        guard try reader.group(named: name, in: project) == nil else { return .failure(.nameTaken) }
        try requireProject(project)
        let id = try connection.first(
            "INSERT INTO device_groups (project, name, created_at) VALUES (?, ?, ?) RETURNING id", project.value, name,
            time.milliseconds
        ) { DeviceGroupID(value: $0.integer(0)) }
        guard let id else { return .failure(.unavailable) }
        try insert(members, into: id)
        return try answer(id)
    }

    func addMembers(
        _ members: [RegistrationID], to id: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) throws(StoreError) -> GroupAnswer {
        let found = try group(id, named: name, in: project)
        guard case .success(let group) = found else { return found }
        guard Set(group.members + members).count <= DeviceGroup.maximumMembers else {
            return .failure(.tooManyMembers)
        }
        try insert(Set(members), into: id)
        return try answer(id)
    }

    func removeMembers(
        _ members: [RegistrationID], from id: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) throws(StoreError) -> GroupAnswer {
        let found = try group(id, named: name, in: project)
        guard case .success(var group) = found else { return found }
        group.members.removeAll { members.contains($0) }
        for member in members {
            try connection.change(
                "DELETE FROM device_group_members WHERE device_group = ? AND registration = ?", id.value, member.value)
        }
        if group.members.isEmpty { try connection.change("DELETE FROM device_groups WHERE id = ?", id.value) }
        return .success(group)
    }

    private func group(
        _ id: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) throws(StoreError) -> GroupAnswer {
        guard let group = try GroupReader(connection: connection).group(id), group.project == project else {
            return .failure(.notFound)
        }
        if let name, name != group.name { return .failure(.nameMismatch) }
        return .success(group)
    }

    private func insert(_ members: Set<RegistrationID>, into id: DeviceGroupID) throws(StoreError) {
        for member in members {
            try connection.change(
                "INSERT OR IGNORE INTO device_group_members (device_group, registration) VALUES (?, ?)", id.value,
                member.value)
        }
    }

    private func answer(_ id: DeviceGroupID) throws(StoreError) -> GroupAnswer {
        guard let group = try GroupReader(connection: connection).group(id) else { return .failure(.notFound) }
        return .success(group)
    }
}
