/// Which packets of one connection each side knows the other to have read.
///
/// Packets are numbered 1, 2, 3… in each direction, logins included; the numbers are never written. A packet that says
/// “I have read n of yours” settles all up to n.
struct PacketLedger: Sendable {
    /// Packets of the server that were read.
    private(set) var read = 0
    /// Packets that were written to the server.
    private(set) var written = 0
    private var reported = 0
    /// Messages that came, and of which no packet of ours has told yet.
    private var untold: [String] = []
    /// Which of our packets told the server about which messages, oldest first.
    private var told: [(packet: Int, ids: [String])] = []
    /// Messages of ours by the packet that carried them, oldest first.
    private var sent: [(packet: Int, id: String)] = []

    /// Packets that came and of which the server has not heard.
    var unreported: Int { read - reported }

    mutating func countRead() { read += 1 }

    /// A message came in the packet that was counted last.
    mutating func noteArrival(of id: String) { untold.append(id) }

    /// Counts a packet that is about to be written and has room for the number of packets read.
    ///
    /// - Returns: That number, `nil` when the server knows it already.
    mutating func stampNext() -> Int32? {
        written += 1
        guard unreported > 0 else { return nil }
        reported = read
        if !untold.isEmpty { told.append((written, untold)) }
        untold = []
        return Int32(clamping: read)
    }

    /// Counts the login, which names messages that came on earlier connections.
    mutating func countLogin(naming ids: [String]) {
        written += 1
        if !ids.isEmpty { told.append((written, ids)) }
    }

    /// The packet that was counted last carries this message of ours.
    mutating func noteSent(_ id: String) { sent.append((written, id)) }

    /// The server says how many packets it has read. More than were written is nonsense, and settles nothing.
    ///
    /// - Returns: The messages that it now knows to have come, and those of ours that it has.
    mutating func settle(through number: Int32) -> (arrived: [String], sent: [String]) {
        guard Int(number) <= written else { return ([], []) }
        let arrived = told.prefix { $0.packet <= Int(number) }
        let accepted = sent.prefix { $0.packet <= Int(number) }
        told.removeFirst(arrived.count)
        sent.removeFirst(accepted.count)
        return (arrived.flatMap(\.ids), accepted.map(\.id))
    }

    /// The server names messages of ours that it has, on whichever connection they came.
    mutating func settle(_ ids: [String]) {
        let known = Set(ids)
        sent.removeAll { known.contains($0.id) }
    }
}
