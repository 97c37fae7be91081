import PushModel

/// The registrations of 4,096 deliveries that follow one another, in their order: what finds a device's deliveries without
/// an index, which would cost each delivery a write to a page of its own.
enum DeliveryBlock {
    static let deliveries: Int64 = 4096

    static func number(of delivery: Int64) -> Int64 { delivery / deliveries }

    /// Four bytes for each registration when they suffice, else eight; little-endian.
    static func bytes(_ registrations: [Int64]) -> [UInt8] {
        let width = registrations.allSatisfy { $0 >= 0 && $0 <= Int64(UInt32.max) } ? 4 : 8
        var bytes: [UInt8] = []
        bytes.reserveCapacity(registrations.count * width)
        for registration in registrations {
            for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: registration >> Int64(8 * place))) }
        }
        return bytes
    }

    /// The places of a registration in a block, last first. A damaged block has none.
    static func places(of registration: Int64, in bytes: UnsafeRawBufferPointer) -> [Int64] {
        switch bytes.count {
        case Int(deliveries) * 4:
            guard let wanted = UInt32(exactly: registration) else { return [] }
            return search(wanted.littleEndian, in: bytes)
        case Int(deliveries) * 8: return search(registration.littleEndian, in: bytes)
        default: return []
        }
    }

    private static func search<Number: FixedWidthInteger & BitwiseCopyable>(
        _ wanted: Number, in bytes: UnsafeRawBufferPointer
    ) -> [Int64] {
        var found: [Int64] = []
        for place in 0..<Int(deliveries) {
            let number = bytes.loadUnaligned(fromByteOffset: place * MemoryLayout<Number>.size, as: Number.self)
            if number == wanted { found.append(Int64(place)) }
        }
        return found.reversed()
    }
}

/// Gathers the block in which new deliveries are. A block of which a part was given out before the start, or undone, is
/// never written: its deliveries are looked for one by one.
struct OpenDeliveryBlock {
    private var number: Int64 = -1
    private var registrations: [Int64] = []

    /// - Returns: The block that is full with this delivery.
    mutating func add(_ delivery: Int64, of registration: Int64) -> (number: Int64, registrations: [Int64])? {
        let block = DeliveryBlock.number(of: delivery)
        let place = Int(delivery % DeliveryBlock.deliveries)
        if block != number {
            number = block
            registrations.removeAll(keepingCapacity: true)
        }
        guard place == registrations.count else { return nil }
        registrations.append(registration)
        guard registrations.count == Int(DeliveryBlock.deliveries) else { return nil }
        return (block, registrations)
    }

    mutating func forget() {
        number = -1
        registrations.removeAll()
    }
}
