/// Percent-encoding of URI components and form bodies. Source: RFC 3986 §2.1; WHATWG URL, form-urlencoded.
public enum PercentEncoding {
    /// Undoes percent-encoding once. `nil` when an escape is malformed or the result is not UTF-8.
    ///
    /// - Parameter plusIsSpace: `true` for form bodies and query strings.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexDigit), let low = iterator.next().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but the unreserved characters of RFC 3986 §2.3.
    public static func encode(_ text: some StringProtocol) -> String {
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(byte >> 4, radix: 16, uppercase: true)
                result += String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// The pairs of a query string or form body, in order. Nothing is left out: an escape that is none stays as it is,
    /// and what is no UTF-8 shows as replacement characters. Source: WHATWG URL, form-urlencoded parsing.
    public static func formPairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = pair.drop { $0 != "=" }.dropFirst()
            return (formText(name), formText(value))
        }
    }

    private static func formText(_ text: some StringProtocol) -> String {
        if let decoded = decode(text, plusIsSpace: true) { return decoded }
        let encoded = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            if byte == UInt8(ascii: "%"), index + 2 < encoded.count,
                let high = hexDigit(encoded[index + 1]), let low = hexDigit(encoded[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
