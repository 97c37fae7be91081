public import PushModel
public import Timekeeping

/// The store's row number of a device group. Never given twice.
public struct DeviceGroupID: Hashable, Sendable, Comparable {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// Some devices of one user behind one notification key.
public struct DeviceGroup: Sendable, Equatable {
    /// Source: FCM, "Manage device groups": 20 members.
    public static let maximumMembers = 20

    public var id: DeviceGroupID
    public var project: ProjectNumber
    /// `notification_key_name`: the sender's own name for it, unique in the project.
    public var name: String
    /// In the order of their ids.
    public var members: [RegistrationID]
    public var createdAt: Timestamp

    public init(
        id: DeviceGroupID, project: ProjectNumber, name: String, members: [RegistrationID], createdAt: Timestamp
    ) {
        self.id = id
        self.project = project
        self.name = name
        self.members = members
        self.createdAt = createdAt
    }
}

/// Why a device group could not be made, changed or found: one case per answer of `/fcm/notification`.
public enum DeviceGroupError: Error, Sendable, Equatable {
    /// A group of the project has that name.
    case nameTaken
    /// No group has that name or key.
    case notFound
    /// The key belongs to a group of another name.
    case nameMismatch
    /// None of the tokens is a live registration of the project.
    case noValidMembers
    case tooManyMembers
    /// The name is empty or longer than `DeviceGroups.maximumNameBytes`.
    case invalidName
    case unavailable
}
