/// The container around the deflated data.
public enum CompressionFormat: Sendable, Equatable {
    /// RFC 1952, `content-encoding: gzip`. Several members in a row are one text.
    case gzip
    /// RFC 1950, `content-encoding: deflate`.
    case zlib

    /// Base-2 logarithm of the window, with zlib's mark for the format.
    var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .zlib: 15
        }
    }
}
