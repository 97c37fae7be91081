import PropertyTesting
import PushCore
import PushModel
import Testing

@Suite struct `The names of deliveries on the device channel` {
    static let good: [(text: String, delivery: Int64, message: Int64)] = [
        ("0:1700000000000001%0000000000000001", 1, 1_700_000_000_000_001),
        ("0:0%000000000000000a", 10, 0),
        ("0:1%7fffffffffffffff", .max, 1),
        ("0:9223372036854775807%0123456789abcdef", 0x0123_4567_89ab_cdef, .max),
        ("0:007%0000000000000002", 2, 7),
    ]

    @Test(arguments: good) func `tell delivery and message`(row: (text: String, delivery: Int64, message: Int64)) {
        let parsed = PersistentID.parse(row.text)
        #expect(parsed?.delivery.value == row.delivery && parsed?.message.value == row.message)
        #expect(PersistentID.delivery(Substring(row.text))?.value == row.delivery)
    }

    static let bad = [
        "", "0", "0:", "0:%", "0:1", "0:1%", "0:%0000000000000001", "1:1%0000000000000001", "0:1%000000000000001",
        "0:1%00000000000000001", "0:1%000000000000000A", "0:1%000000000000000g", "0:1%-000000000000001",
        "0:-1%0000000000000001", "0:+1%0000000000000001", "0: 1%0000000000000001", "0:1%0000000000000000",
        "0:1%8000000000000000", "0:1%ffffffffffffffff", "0:9223372036854775808%0000000000000001",
        "0:1%0000000000000001%", "0:1%%000000000000001", "00:1%0000000000000001", " 0:1%0000000000000001",
        "0:1%0000000000000001\n", "0:١%0000000000000001", "0:1%000000000000000１",
        "0:" + String(repeating: "0", count: 60) + "1%0000000000000001", "\u{0}", "mid-1",
    ]

    @Test(arguments: bad) func `of another form are none`(text: String) {
        #expect(PersistentID.parse(text) == nil)
        #expect(PersistentID.delivery(text) == nil)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `with any fault never trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let delivery = DeliveryID(value: Int64.random(in: 1 ... .max, using: &random))
            let message = MessageID(value: Int64.random(in: 0 ... .max, using: &random))
            let text = PersistentID.text(of: delivery, message: message)
            let parsed = PersistentID.parse(text)
            #expect(parsed?.delivery == delivery && parsed?.message == message)
            let damaged = random.mutate(Array(text.utf8), alphabet: Array("0:%af".utf8))
            _ = PersistentID.parse(String(decoding: damaged, as: UTF8.self))
        }
    }
}
