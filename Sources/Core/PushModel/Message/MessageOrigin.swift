/// Who sent a message, and through which door: for the inspector.
public struct MessageOrigin: Sendable, Equatable {
    public enum Door: String, Sendable, CaseIterable {
        /// HTTP v1.
        case v1
        case legacy, xmpp, console, campaign
        /// An app, to a device group.
        case device
        /// An app server of a site, to a browser of this service.
        case webPush
    }

    public var door: Door
    /// A service account's address, the last characters of a server key, a user's name. Never a secret.
    public var sender: String

    public init(_ door: Door, sender: String = "") {
        self.door = door
        self.sender = sender
    }
}
