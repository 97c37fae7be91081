/// The id of an app on a device, and the token that messages to it are sent to.
@available(*, deprecated, message: "Use Installations.installationID and Messaging.token instead.")
public final class InstanceIDResult: Sendable, Hashable {
    public let instanceID: String
    public let token: String

    init(instanceID: String, token: String) {
        self.instanceID = instanceID
        self.token = token
    }

    /// The values never change, so a copy is the object itself.
    public func copy() -> InstanceIDResult { self }

    public static func == (one: InstanceIDResult, other: InstanceIDResult) -> Bool {
        one.instanceID == other.instanceID && one.token == other.token
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(instanceID)
        hasher.combine(token)
    }
}
