/// A block of addresses: those that begin with these bits.
public struct AddressBlock: Sendable, Equatable {
    private let prefix: [UInt8]
    private let bits: Int

    /// - Parameter prefix: The leading bytes; those left out are zero.
    public init(_ prefix: [UInt8], _ bits: Int) {
        self.prefix = prefix
        self.bits = bits
    }

    /// - Parameter address: 4 or 16 bytes, of the same family as the block.
    public func contains(_ address: [UInt8]) -> Bool {
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
