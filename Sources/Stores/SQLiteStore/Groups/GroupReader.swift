import PushCore
import PushModel
import Timekeeping

/// Reads device groups on one connection.
struct GroupReader {
    let connection: Connection

    func group(_ id: DeviceGroupID) throws(StoreError) -> DeviceGroup? {
        let stored = try connection.first(
            "SELECT id, project, name, created_at FROM device_groups WHERE id = ?", id.value, read: decode)
        return try stored.map(complete)
    }

    func group(named name: String, in project: ProjectNumber) throws(StoreError) -> DeviceGroup? {
        let stored = try connection.first(
            "SELECT id, project, name, created_at FROM device_groups WHERE project = ? AND name = ?", project.value,
            name, read: decode)
        return try stored.map(complete)
    }

    func groups(in project: ProjectNumber, after name: String?, limit: Int) throws(StoreError) -> [DeviceGroup] {
        let stored = try connection.all(
            """
            SELECT id, project, name, created_at FROM device_groups WHERE project = ? AND name > ?
            ORDER BY name LIMIT ?
            """, project.value, name ?? "", max(0, limit), read: decode)
        return try stored.map(complete)
    }

    private func decode(_ row: Row) -> DeviceGroup {
        DeviceGroup(
            id: DeviceGroupID(value: row.integer(0)), project: ProjectNumber(value: UInt64(bitPattern: row.integer(1))),
            name: row.text(2), members: [], createdAt: Timestamp(milliseconds: row.integer(3)))
    }

    private func complete(_ group: DeviceGroup) throws(StoreError) -> DeviceGroup {
        var group = group
        group.members = try connection.all(
            "SELECT registration FROM device_group_members WHERE device_group = ? ORDER BY registration", group.id.value
        ) { RegistrationID(value: $0.integer(0)) }
        return group
    }
}
