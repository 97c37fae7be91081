/// A file that was downloaded to the device's disk.
public struct DownloadedFile: Sendable, Hashable {
    /// Absolute, on this device.
    public var path: String
    public var status: Int
    /// Lower case, without parameters: `image/jpeg`.
    public var mimeType: String?
    /// The name that the server or the URL's path suggests. Comes from outside.
    public var suggestedName: String?

    public init(path: String, status: Int, mimeType: String? = nil, suggestedName: String? = nil) {
        self.path = path
        self.status = status
        self.mimeType = mimeType
        self.suggestedName = suggestedName
    }
}

/// Downloads files to disk, never into memory: service extensions have little of it. A cancelled task ends the download.
public protocol FileDownloads: Sendable {
    /// Redirections are followed. A file of another status than 2xx is a file too.
    ///
    /// - Parameters:
    ///   - url: `http` or `https`, percent-encoded.
    ///   - maximumBytes: A larger body ends the download with `WebError.dataLengthExceedsMaximum`.
    func download(_ url: String, maximumBytes: Int) async throws(WebError) -> DownloadedFile
    /// Gives the file a name with this extension.
    ///
    /// - Parameter fileExtension: Letters and digits.
    /// - Returns: Its new path.
    func rename(_ path: String, fileExtension: String) throws(FileStoreError) -> String
    /// Removes a file that nobody wants. Nothing happens when there is none.
    func remove(_ path: String)
}
