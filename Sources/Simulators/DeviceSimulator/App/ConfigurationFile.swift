import FirebaseCore

/// A `GoogleService-Info.plist`, read as the SDK reads it.
public struct ConfigurationFile {
    private let options: FirebaseOptions

    /// `nil` when the bytes are no property list.
    public init?(_ plist: [UInt8]) {
        guard let options = FirebaseOptions(plist: plist) else { return nil }
        self.options = options
    }

    public var bundleID: String { options.bundleID }

    /// The server that the app talks to instead of Google's hosts.
    public var serverURL: String? { options.serverURL }
}
