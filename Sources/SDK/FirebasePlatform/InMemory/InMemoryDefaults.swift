import Synchronization

/// User defaults in memory. Make a new one when the app is reinstalled.
public final class InMemoryDefaults: DefaultsStore {
    public struct Key: Hashable, Sendable {
        public var suite: String?
        public var name: String
    }

    private let values: Mutex<[Key: PlistValue]>

    public init(values: [Key: PlistValue] = [:]) {
        self.values = Mutex(values)
    }

    /// Everything stored, for a host that saves the device to disk.
    public var snapshot: [Key: PlistValue] { values.withLock { $0 } }

    public func value(_ key: String, suite: String?) -> PlistValue? {
        values.withLock { $0[Key(suite: suite, name: key)] }
    }

    public func set(_ value: PlistValue?, for key: String, suite: String?) {
        values.withLock { $0[Key(suite: suite, name: key)] = value }
    }
}
