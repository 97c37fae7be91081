/// The id of one installation of an app (FID): 22 URL-safe characters, the first one of `cdef`.
///
/// Apps that moved from Instance ID keep their old form of 11 characters. Source: Firebase Installations, FID format.
public struct FirebaseInstallationID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// `nil` when the text is neither a FID nor a migrated Instance ID.
    public init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard bytes.count == 22 || bytes.count == 11, let first = bytes.first,
            (UInt8(ascii: "c")...UInt8(ascii: "f")).contains(first), bytes.allSatisfy(\.isURLSafe)
        else { return nil }
        self.text = String(text)
    }

    /// Whether the id has the full form, not that of a migrated Instance ID.
    public var isFull: Bool { text.utf8.count == 22 }

    public var description: String { text }
}
