internal import CConsoleAssets

/// A file of the console's web application, carried inside the program.
///
/// The files are those of the folder `Web`. To add one, put it there and run `scripts/lib/console_assets.py`.
public struct ConsoleAsset: Sendable {
    public let bytes: [UInt8]
    /// For `Content-Type`: `text/javascript; charset=utf-8`.
    public let contentType: String
    /// For `ETag`, quotes included. Another content has another tag.
    public let etag: String

    /// The file with this path inside `Web`: `index.html`, `pages/campaigns.js`.
    public static func named(_ path: some StringProtocol) -> ConsoleAsset? {
        all[String(path)]
    }

    /// The paths of all files, sorted.
    public static var paths: [String] { all.keys.sorted() }

    /// Copied out of the program's image when the console is first asked for.
    private static let all: [String: ConsoleAsset] = {
        var all: [String: ConsoleAsset] = [:]
        var place = 0
        while let embedded = console_asset_at(place)?.pointee {
            let path = String(cString: embedded.path)
            let bytes = Array(UnsafeBufferPointer(start: embedded.bytes, count: embedded.size))
            all[path] = ConsoleAsset(bytes: bytes, contentType: contentType(of: path), etag: etag(of: bytes))
            place += 1
        }
        return all
    }()

    private static func contentType(of path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/json"
        default: "application/octet-stream"
        }
    }

    /// FNV-1a, 64 bits. It tells versions of a file apart; nothing secret depends on it.
    private static func etag(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}
