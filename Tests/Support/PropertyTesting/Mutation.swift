extension SeededGenerator {
    /// A copy with one to four faults: bytes changed, inserted, removed, repeated, or the end cut off.
    ///
    /// - Parameter alphabet: Bytes that matter to the format, which are inserted as often as random ones.
    public mutating func mutate(_ original: [UInt8], alphabet: [UInt8] = []) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &self) { mutateOnce(&bytes, alphabet: alphabet) }
        return bytes
    }

    private mutating func mutateOnce(_ bytes: inout [UInt8], alphabet: [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &self)
        let random = UInt8.random(in: .min ... .max, using: &self)
        let byte = Bool.random(using: &self) ? random : alphabet.randomElement(using: &self) ?? random
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &self))
        switch Int.random(in: 0..<5, using: &self) {
        case 0 where place < bytes.count: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.removeSubrange(place...)
        }
    }

    /// The bytes in pieces of one to `longest` bytes, in order.
    public mutating func pieces(of bytes: [UInt8], longest: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...longest, using: &self))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
