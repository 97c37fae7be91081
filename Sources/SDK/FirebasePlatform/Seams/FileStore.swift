public struct FileStoreError: Error, Hashable, Sendable {
    public var reason: String
    public init(reason: String) { self.reason = reason }
}

/// Files under the app's support folder. They die with the app.
///
/// Paths are relative, with `/` between folders; folders are made when needed. Files carry no data protection, so that
/// they can be read while the device is locked, and stay out of backups.
public protocol FileStore: Sendable {
    /// - Returns: `nil` when there is no such file.
    func read(_ path: String) throws(FileStoreError) -> [UInt8]?
    /// Replaces the whole file in one step.
    func write(_ bytes: [UInt8], to path: String) throws(FileStoreError)
    /// Removing what is not there is a success.
    func remove(_ path: String) throws(FileStoreError)
}
