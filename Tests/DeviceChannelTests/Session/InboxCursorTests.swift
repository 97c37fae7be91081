import PropertyTesting
import PushModel
import Testing

@testable import DeviceChannel

@Suite struct `Inbox cursor` {
    private func id(_ value: Int64) -> DeliveryID { DeliveryID(value: value) }

    @Test func `asks the store first, and then only when it is behind`() {
        var cursor = InboxCursor()
        #expect(cursor.wantsRead)
        cursor.startReading()
        #expect(!cursor.wantsRead)
        cursor.finishReading(through: id(10), isEnd: true)
        #expect(!cursor.wantsRead)
        let isNotNext1 = cursor.ring(id(13), after: id(12))
        #expect(!isNotNext1)
        #expect(cursor.wantsRead)
    }

    @Test func `takes the next delivery without the store`() {
        var cursor = InboxCursor()
        cursor.finishReading(through: id(10), isEnd: true)
        let isNext2 = cursor.ring(id(12), after: id(10))
        #expect(isNext2)
        cursor.passed(id(12))
        let isNext3 = cursor.ring(id(13), after: nil)
        #expect(isNext3)
        cursor.passed(id(13))
        let isNotNext4 = cursor.ring(id(13), after: id(12))
        #expect(!isNotNext4)
        let isNotNext5 = cursor.ring(id(11), after: id(10))
        #expect(!isNotNext5)
        #expect(!cursor.wantsRead)
    }

    @Test func `reads on when a page was not the last or not written whole`() {
        var cursor = InboxCursor()
        cursor.startReading()
        cursor.finishReading(through: id(50), isEnd: false)
        #expect(cursor.wantsRead)
        cursor.startReading()
        cursor.passed(id(60))
        cursor.finishReading(through: nil, isEnd: true)
        #expect(cursor.wantsRead)
        #expect(cursor.position == id(60))
    }

    /// Deliveries are stored one after the other and announced in any order, while pages are read and the connection
    /// is ready or not; each is written once, in order.
    @Test func `writes everything once and in order, whatever comes when`() {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<300 {
            var cursor = InboxCursor()
            var stored: [DeliveryID] = []
            var unrung: [(DeliveryID, DeliveryID?)] = []
            var written: [DeliveryID] = []
            var page: [DeliveryID]?
            func step(_ choice: Int) {
                switch choice {
                case 0:
                    let next = id((stored.last?.value ?? 0) + 1)
                    unrung.append((next, stored.last))
                    stored.append(next)
                case 1 where !unrung.isEmpty:
                    let (rung, previous) = unrung.remove(at: Int.random(in: unrung.indices, using: &random))
                    guard cursor.ring(rung, after: previous), Bool.random(using: &random) else { return }
                    cursor.passed(rung)
                    written.append(rung)
                case 2 where cursor.wantsRead:
                    cursor.startReading()
                    page = Array(stored.filter { $0 > cursor.position }.prefix(3))
                default:
                    guard let read = page else { return }
                    page = nil
                    for entry in read where entry > cursor.position {
                        cursor.passed(entry)
                        written.append(entry)
                    }
                    cursor.finishReading(through: read.last ?? cursor.position, isEnd: read.count < 3)
                }
            }
            for _ in 0..<60 { step(Int.random(in: 0...3, using: &random)) }
            while !unrung.isEmpty || cursor.wantsRead || page != nil { step(Int.random(in: 1...3, using: &random)) }
            #expect(written == stored)
        }
    }
}
