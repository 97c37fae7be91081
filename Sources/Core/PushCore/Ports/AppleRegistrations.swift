public import PushModel

/// Finds app instances by what APNs calls them.
public protocol AppleRegistrations: Sendable {
    /// The live registration of an app with that APNs token, newest first when several exist.
    func registration(
        of token: APNsDeviceToken, bundleID: String, in project: ProjectNumber
    ) throws(StoreError) -> Registration?
}
