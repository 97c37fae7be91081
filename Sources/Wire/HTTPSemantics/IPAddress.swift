import Glibc

/// A numeric address as bytes in network order.
public enum IPAddress: Sendable, Equatable {
    /// 4 bytes.
    case v4([UInt8])
    /// 16 bytes.
    case v6([UInt8])

    /// `nil` for anything but the standard text forms: no zone, no octal, no short form.
    public init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        if let bytes = Self.parse(text, family: AF_INET, byteCount: 4) {
            self = .v4(bytes)
        } else if let bytes = Self.parse(text, family: AF_INET6, byteCount: 16) {
            self = .v6(bytes)
        } else {
            return nil
        }
    }

    private static func parse(_ text: String, family: Int32, byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    public var bytes: [UInt8] {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes
        }
    }

    /// An IPv4 address that was written as one of IPv6, `::ffff:192.0.2.1`, as what it is (RFC 4291 §2.5.5.2).
    public var unmapped: IPAddress {
        guard case .v6(let bytes) = self, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255
        else { return self }
        return .v4(Array(bytes[12...]))
    }
}
