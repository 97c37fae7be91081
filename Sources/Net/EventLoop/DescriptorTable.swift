/// The handlers of the watched descriptors, by number.
///
/// A generation goes with each entry, so that an event which the kernel reported before a descriptor was closed and
/// its number used again does not reach the new owner.
struct DescriptorTable {
    private struct Entry {
        var handler: (any DescriptorHandler)?
        var generation: UInt32 = 0
    }

    private var entries: [Entry] = []

    /// - Returns: The mark that an event of this registration carries.
    mutating func insert(_ handler: any DescriptorHandler, for descriptor: Int32) -> UInt64 {
        let index = Int(descriptor)
        while entries.count <= index { entries.append(Entry()) }
        entries[index].handler = handler
        entries[index].generation &+= 1
        return UInt64(entries[index].generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }

    mutating func remove(_ descriptor: Int32) {
        guard entries.indices.contains(Int(descriptor)) else { return }
        entries[Int(descriptor)].handler = nil
    }

    func handler(forMark mark: UInt64) -> (any DescriptorHandler)? {
        let index = Int(mark & 0xFFFF_FFFF)
        guard index < entries.count, entries[index].generation == UInt32(mark >> 32) else { return nil }
        return entries[index].handler
    }

    var handlers: [any DescriptorHandler] { entries.compactMap(\.handler) }
}
