public import PushModel

extension Sequence<APNsCredential> {
    /// The credential to show for an app: one made for its bundle id before one for all, a newer before an older one.
    public func serving(_ environment: APNsEnvironment, bundleID: String) -> APNsCredential? {
        filter {
            $0.environments.contains(environment) && ($0.bundleIDs.isEmpty || $0.bundleIDs.contains(bundleID))
        }.max { left, right in
            left.bundleIDs.isEmpty == right.bundleIDs.isEmpty
                ? left.serial < right.serial : left.bundleIDs.isEmpty
        }
    }
}

extension APNsEnvironment {
    var other: APNsEnvironment { self == .production ? .sandbox : .production }
}
