/// User defaults: small values that die with the app and travel in backups.
public protocol DefaultsStore: Sendable {
    /// - Parameter suite: `nil` for the app's own defaults.
    func value(_ key: String, suite: String?) -> PlistValue?
    /// `nil` removes the value.
    func set(_ value: PlistValue?, for key: String, suite: String?)
}

extension DefaultsStore {
    public func value(_ key: String) -> PlistValue? { value(key, suite: nil) }
    public func set(_ value: PlistValue?, for key: String) { set(value, for: key, suite: nil) }
}
