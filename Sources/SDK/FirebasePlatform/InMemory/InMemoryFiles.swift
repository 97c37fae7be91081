import Synchronization

/// Files in memory. Make a new one when the app is reinstalled.
public final class InMemoryFiles: FileStore {
    private struct State {
        var files: [String: [UInt8]] = [:]
        var failure: FileStoreError?
        var readsFail = true
    }

    private let state: Mutex<State>

    public init(files: [String: [UInt8]] = [:]) {
        state = Mutex(State(files: files))
    }

    /// Every file, for a host that saves the device to disk.
    public var files: [String: [UInt8]] { state.withLock(\.files) }

    /// From now on every call fails with this; `nil` ends the failure.
    ///
    /// - Parameter whenReading: False leaves reading as it is, as on a full disk.
    public func fail(with failure: FileStoreError?, whenReading: Bool = true) {
        state.withLock { state in
            state.failure = failure
            state.readsFail = whenReading
        }
    }

    public func read(_ path: String) throws(FileStoreError) -> [UInt8]? {
        try state.withLock { state throws(FileStoreError) in
            if let failure = state.failure, state.readsFail { throw failure }
            return state.files[path]
        }
    }

    public func write(_ bytes: [UInt8], to path: String) throws(FileStoreError) {
        try state.withLock { state throws(FileStoreError) in
            if let failure = state.failure { throw failure }
            state.files[path] = bytes
        }
    }

    public func remove(_ path: String) throws(FileStoreError) {
        try state.withLock { state throws(FileStoreError) in
            if let failure = state.failure { throw failure }
            state.files[path] = nil
        }
    }
}
