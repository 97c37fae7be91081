import Glibc

/// A numeric address as bytes in network order.
enum IPAddress: Sendable, Equatable {
    /// 4 bytes.
    case v4([UInt8])
    /// 16 bytes.
    case v6([UInt8])

    /// `nil` for anything but the standard text forms: no zone, no octal, no short form.
    init?(_ text: String) {
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

    var bytes: [UInt8] {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes
        }
    }
}

/// A block of addresses: those that begin with these bits.
struct AddressBlock: Sendable {
    private let prefix: [UInt8]
    private let bits: Int

    /// - Parameter prefix: The leading bytes; those left out are zero.
    init(_ prefix: [UInt8], _ bits: Int) {
        self.prefix = prefix
        self.bits = bits
    }

    /// - Parameter address: 4 or 16 bytes, of the same family as the block.
    func contains(_ address: [UInt8]) -> Bool {
        let wholeBytes = bits / 8
        func expected(_ place: Int) -> UInt8 { place < prefix.count ? prefix[place] : 0 }
        guard address.count * 8 >= bits, (0..<wholeBytes).allSatisfy({ address[$0] == expected($0) }) else {
            return false
        }
        let rest = bits % 8
        guard rest > 0 else { return true }
        let mask = ~(UInt8.max >> UInt8(rest))
        return address[wholeBytes] & mask == expected(wholeBytes) & mask
    }
}
