import Bytes
package import FirebasePlatform

/// A Firebase installation id (FID), and the Instance ID that older apps bring along in its place.
package enum InstallationID {
    /// Makes a new id from 17 random bytes: the first four bits become 0111, and of the base64url text the first 22
    /// characters stay.
    package static func make(from random: any RandomSource) -> String {
        make(bytes: random.bytes(17))
    }

    package static func make(bytes: [UInt8]) -> String {
        var bytes = bytes
        if let first = bytes.first { bytes[0] = 0x70 | first & 0x0F }
        return String(Base64URL.encode(bytes).prefix(22))
    }

    /// 22 characters, or 11 of the Instance ID era; the first one of c, d, e, f.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count == 22 || text.utf8.count == 11, let first = text.utf8.first else { return false }
        return (UInt8(ascii: "c")...UInt8(ascii: "f")).contains(first) && text.utf8.allSatisfy(isBase64URL)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
