import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The image that a message names under `fcm_options.image`.
enum NotificationImage: Sendable, Hashable {
    case none
    /// Absolute and percent-encoded.
    case url(String)
    /// There is a text, but no URL that can be downloaded.
    case unusable

    private static let maximumExtensionCharacters = 16

    init(_ message: ReceivedMessage) {
        guard let text = message.payload["fcm_options"]?.dictionary?["image"]?.string, !text.isEmpty else {
            self = .none
            return
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false
        else {
            self = .unusable
            return
        }
        self = .url(url.absoluteString)
    }

    /// What the system attaches, by its file's ending. Source: Apple, `UNNotificationAttachment`, supported types.
    private static let mediaEndings: Set<String> = [
        "jpg", "jpeg", "png", "gif", "heic", "heif", "webp", "bmp", "tif", "tiff", "aif", "aiff", "wav", "mp3", "m4a",
        "mp4", "m4v", "mov", "mpg", "mpeg", "avi",
    ]

    /// The extension that tells the system the file's type: that of the suggested name, else that of `image/…`. A name
    /// that ends in no medium, as `photo.php` does, gives way to the type.
    ///
    /// Both come from outside: anything but letters and digits is refused, for it becomes part of a path.
    static func fileExtension(of file: DownloadedFile) -> String? {
        let named = nameEnding(of: file)
        if let named, mediaEndings.contains(named.lowercased()) { return named }
        guard let type = file.mimeType?.lowercased(), type.hasPrefix("image/") else { return named }
        return checked(type.dropFirst("image/".count)) ?? named
    }

    private static func nameEnding(of file: DownloadedFile) -> String? {
        guard let name = file.suggestedName, let dot = name.lastIndex(of: "."), dot != name.startIndex
        else { return nil }
        return checked(name[name.index(after: dot)...])
    }

    private static func checked(_ text: Substring) -> String? {
        guard (1...maximumExtensionCharacters).contains(text.utf8.count), text.utf8.allSatisfy(isLetterOrDigit) else {
            return nil
        }
        return String(text)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
