internal import Timekeeping

/// Writes ASN.1 values. Source: ITU-T X.690, distinguished encoding rules.
enum DER {
    struct Tag: Equatable {
        static let boolean = Tag(0x01)
        static let integer = Tag(0x02)
        static let bitString = Tag(0x03)
        static let octetString = Tag(0x04)
        static let objectIdentifier = Tag(0x06)
        static let utf8String = Tag(0x0C)
        static let printableString = Tag(0x13)
        static let ia5String = Tag(0x16)
        static let utcTime = Tag(0x17)
        static let generalizedTime = Tag(0x18)
        static let sequence = Tag(0x30)
        static let set = Tag(0x31)

        let byte: UInt8

        init(_ byte: UInt8) {
            self.byte = byte
        }

        /// A context-specific tag: `[number]`.
        static func context(_ number: UInt8, constructed: Bool) -> Tag {
            Tag((constructed ? 0xA0 : 0x80) | (number & 0x1F))
        }
    }

    static func element(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 128 else { return [tag.byte, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag.byte, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] {
        element(.sequence, Array(elements.joined()))
    }

    /// - Parameter magnitude: Big-endian.
    static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
        var digits = Array(magnitude.drop { $0 == 0 })
        if (digits.first ?? 0x80) >= 0x80 { digits.insert(0, at: 0) }
        return element(.integer, digits)
    }

    static func objectIdentifier(_ identifier: ASN1Identifier) -> [UInt8] {
        element(.objectIdentifier, identifier.content)
    }

    static func bitString(_ bytes: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(.bitString, [unusedBits] + bytes)
    }

    static func utf8String(_ text: String) -> [UInt8] {
        element(.utf8String, Array(text.utf8))
    }

    /// UTCTime up to 2049, GeneralizedTime from 2050 on. Source: RFC 5280 §4.1.2.5.
    static func time(_ timestamp: Timestamp) -> [UInt8] {
        let text = timestamp.rfc3339.utf8.prefix(19).filter { 0x30...0x39 ~= $0 } + [UInt8(ascii: "Z")]
        let isShort = 1950..<2050 ~= CalendarTime(timestamp).year
        return isShort ? element(.utcTime, Array(text.dropFirst(2))) : element(.generalizedTime, text)
    }
}
