import PushCore
import PushModel

/// Some members of a topic in ascending order, as one row of `topic_chunks`: each as its distance to the one before,
/// the first as its distance to the row's `first`. Close neighbours need one byte each.
struct MemberChunk {
    /// A row of this size still has all its bytes inside its page: four rows to a page of 4,096.
    static let maximumBytes = 900

    /// No member is smaller. Stays when the member goes.
    let first: Int64
    private(set) var members: [Int64]

    init(first: Int64, members: [Int64]) {
        self.first = first
        self.members = members
    }

    /// - Throws: When the bytes are not a chunk.
    init(first: Int64, bytes: UnsafeRawBufferPointer) throws(StoreError) {
        self.first = first
        members = []
        members.reserveCapacity(bytes.count)
        var (place, last) = (0, first)
        while place < bytes.count {
            guard let distance = PackedIntegers.next(in: bytes, at: &place) else {
                throw .damaged("members of a topic")
            }
            last = last &+ Int64(bitPattern: distance)
            members.append(last)
        }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(members.count * 2)
        var last = first
        for member in members {
            PackedIntegers.append(UInt64(bitPattern: member &- last), to: &bytes)
            last = member
        }
        return bytes
    }

    /// - Returns: `false` when the member is in already.
    mutating func insert(_ member: Int64) -> Bool {
        let place = place(of: member)
        guard place == members.count || members[place] != member else { return false }
        members.insert(member, at: place)
        return true
    }

    /// - Returns: `false` when the member is not in.
    mutating func remove(_ member: Int64) -> Bool {
        let place = place(of: member)
        guard place < members.count, members[place] == member else { return false }
        members.remove(at: place)
        return true
    }

    /// Two chunks instead of one that has grown too large. One that grew at its end, as topics do whose members are
    /// new registrations, stays nearly full.
    func split(afterInserting member: Int64) -> (MemberChunk, MemberChunk) {
        let place = members.last == member ? members.count - 1 : members.count / 2
        return (
            MemberChunk(first: first, members: Array(members[..<place])),
            MemberChunk(first: members[place], members: Array(members[place...]))
        )
    }

    /// Where the member is, or where it would be.
    private func place(of member: Int64) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle] < member { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
