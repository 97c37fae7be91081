import PropertyTesting
import PushCore
import Testing

@testable import SQLiteStore

@Suite struct `Packed memberships` {
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `come back as they were`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = Int64.random(in: 0...1_000, using: &random)
        let members = Set((0..<200).map { _ in first + Int64.random(in: 0...(1 << 40), using: &random) }).sorted()
        let chunk = MemberChunk(first: first, members: members)
        let bytes = chunk.bytes
        let read = try bytes.withUnsafeBytes { try MemberChunk(first: first, bytes: $0) }
        #expect(read.members == members)
        var list = TopicList()
        for member in members { list.append(member, at: Int64.random(in: -5...2_000_000_000, using: &random)) }
        let copy = try TopicList(list.bytes)
        #expect(copy.entries == list.entries)
        #expect(zip(copy.entries, copy.entries.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `with any fault never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = MemberChunk(first: 0, members: Array(1...300)).bytes
        for _ in 0..<2_000 {
            let broken = random.mutate(bytes, alphabet: [0x80, 0xFF])
            _ = try? broken.withUnsafeBytes { try MemberChunk(first: .max, bytes: $0) }
            _ = try? TopicList(broken)
        }
    }

    static let unreadable: [[UInt8]] = [[0x80], [1, 0xFF], Array(repeating: 0xFF, count: 11)]
    @Test(arguments: unreadable) func `that end in the middle are damaged`(bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try bytes.withUnsafeBytes { try MemberChunk(first: 0, bytes: $0) } }
        #expect(throws: StoreError.self) { try TopicList(bytes) }
    }

    @Test func `of neighbours need a byte each`() {
        #expect(MemberChunk(first: 0, members: Array(1_000...1_499)).bytes.count == 501)
        var list = TopicList()
        for topic in 1...100 as ClosedRange<Int64> { list.append(topic, at: 1_900_000_000) }
        #expect(list.bytes.count == 4 + 1 + 99 * 2)
    }
}
