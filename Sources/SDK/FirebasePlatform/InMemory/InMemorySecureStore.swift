import Synchronization

/// A secure store that lives as long as this object. Keep it when the app is reinstalled: a real one survives too.
public final class InMemorySecureStore: SecureStore {
    private struct State {
        var items: [SecureItemKey: [UInt8]] = [:]
        var readFailure: SecureStoreError?
        var writeFailure: SecureStoreError?
    }

    private let state: Mutex<State>

    public init(items: [SecureItemKey: [UInt8]] = [:]) {
        state = Mutex(State(items: items))
    }

    /// Everything stored, for a host that saves the device to disk.
    public var items: [SecureItemKey: [UInt8]] { state.withLock(\.items) }

    /// From now on reads and writes fail with these; `nil` ends the failure.
    public func fail(reads: SecureStoreError?, writes: SecureStoreError?) {
        state.withLock { state in
            state.readFailure = reads
            state.writeFailure = writes
        }
    }

    public func read(_ key: SecureItemKey) throws(SecureStoreError) -> [UInt8]? {
        try state.withLock { state throws(SecureStoreError) in
            if let failure = state.readFailure { throw failure }
            return state.items[key]
        }
    }

    public func write(_ bytes: [UInt8], for key: SecureItemKey) throws(SecureStoreError) {
        try state.withLock { state throws(SecureStoreError) in
            if let failure = state.writeFailure { throw failure }
            state.items[key] = bytes
        }
    }

    public func remove(_ key: SecureItemKey) throws(SecureStoreError) {
        try state.withLock { state throws(SecureStoreError) in
            if let failure = state.writeFailure { throw failure }
            state.items[key] = nil
        }
    }

    public func services(generic: String, account: String) throws(SecureStoreError) -> [String] {
        try state.withLock { state throws(SecureStoreError) in
            if let failure = state.readFailure { throw failure }
            return state.items.keys.filter { $0.generic == generic && $0.account == account }.map(\.service).sorted()
        }
    }
}
