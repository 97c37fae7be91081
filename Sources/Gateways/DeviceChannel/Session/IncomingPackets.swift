/// Counts the packets of a client, and how many of them are done: a packet is confirmed only when what it caused is
/// committed, and so is what came before it.
struct IncomingPackets: Sendable {
    private struct Unfinished {
        let packet: Int32
        var effects: Int
    }

    /// Packets read. Stays at its maximum instead of overflowing.
    private(set) var count: Int32 = 0
    /// Oldest first.
    private var unfinished: [Unfinished] = []

    /// Packets that wait for their effects.
    var uncommitted: Int { unfinished.count }

    /// The highest number up to which every packet is done.
    var done: Int32 { unfinished.first.map { $0.packet - 1 } ?? count }

    mutating func read() {
        if count < .max { count += 1 }
    }

    /// The last packet has one more effect, which `finish` will report.
    mutating func expectEffect() {
        if let last = unfinished.indices.last, unfinished[last].packet == count {
            unfinished[last].effects += 1
        } else {
            unfinished.append(Unfinished(packet: count, effects: 1))
        }
    }

    /// One effect of the packet is committed.
    mutating func finish(_ packet: Int32) {
        guard let place = unfinished.firstIndex(where: { $0.packet == packet }) else { return }
        unfinished[place].effects -= 1
        if unfinished[place].effects == 0 { unfinished.remove(at: place) }
        if unfinished.isEmpty { unfinished = [] }
    }
}
