public import PushModel

extension [APNsCredential] {
    /// The credential to show for an app: one made for its bundle id before one for all, a newer before an older one.
    public func serving(_ environment: APNsEnvironment, bundleID: String) -> APNsCredential? {
        var best: APNsCredential?
        for candidate in self where candidate.serves(environment, bundleID: bundleID) {
            if best.map({ candidate.isBetter(than: $0) }) ?? true { best = candidate }
        }
        return best
    }
}

extension APNsCredential {
    fileprivate func serves(_ environment: APNsEnvironment, bundleID: String) -> Bool {
        // Most keys serve both, and counting is cheaper than hashing.
        (environments.count == APNsEnvironment.allCases.count || environments.contains(environment))
            && (bundleIDs.isEmpty || bundleIDs.contains(bundleID))
    }

    fileprivate func isBetter(than other: APNsCredential) -> Bool {
        bundleIDs.isEmpty == other.bundleIDs.isEmpty ? serial > other.serial : other.bundleIDs.isEmpty
    }
}

extension APNsEnvironment {
    var other: APNsEnvironment { self == .production ? .sandbox : .production }
}
