/// Prepared statements by the address of their text, which is a literal. One is looked for with each query, so the table
/// is open: the address itself says where to look.
struct StatementTable {
    private struct Slot {
        let text: UnsafePointer<UInt8>
        let statement: OpaquePointer
    }

    /// A power of two, at most half full.
    private var slots = [Slot?](repeating: nil, count: 64)
    private var count = 0

    var all: [OpaquePointer] { slots.compactMap { $0?.statement } }

    subscript(text: UnsafePointer<UInt8>) -> OpaquePointer? {
        get { slots[place(of: text)]?.statement }
        set {
            guard let newValue else { return }
            if 2 * count >= slots.count { grow() }
            let place = place(of: text)
            if slots[place] == nil { count += 1 }
            slots[place] = Slot(text: text, statement: newValue)
        }
    }

    /// Where the text is, or would be.
    private func place(of text: UnsafePointer<UInt8>) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: text)) &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while let slot = slots[place], slot.text != text { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot?](repeating: nil, count: 2 * old.count)
        for case let slot? in old { slots[place(of: slot.text)] = slot }
    }
}
