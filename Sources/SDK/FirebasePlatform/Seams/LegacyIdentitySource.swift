/// What the Instance ID library left on the device, for apps that come from it.
public protocol LegacyIdentitySource: Sendable {
    /// The old 11-character id: it becomes the installation id. `nil` when there never was one.
    func instanceID() -> String?
    /// The token of the default sender, which proves the ownership of the id.
    func defaultToken() -> String?
    /// Removes both.
    func forget()
}
