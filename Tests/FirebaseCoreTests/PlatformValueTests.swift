import FirebasePlatform
import Foundation
import Testing

@Suite struct `Values of payloads` {
    @Test func `keep their types`() {
        let any: [AnyHashable: Any] = [
            "text": "1", "flag": true, "whole": 1, "large": Int64.max, "real": 1.5, "list": [1, "a", [true]],
            "map": ["k": ["n": 1]], 7: "dropped",
        ]
        let expected: [String: PayloadValue] = [
            "text": "1", "flag": true, "whole": 1, "large": .integer(.max), "real": 1.5, "list": [1, "a", [true]],
            "map": ["k": ["n": 1]],
        ]
        let entries = PayloadValue.entries(any)
        #expect(entries == expected)
        #expect(PayloadValue(any: PayloadValue.dictionary(entries).any) == .dictionary(entries))
    }

    @Test func `are cut off when they are too deep`() {
        var value: Any = "bottom"
        for _ in 0..<100_000 { value = [value] }
        #expect(PayloadValue(any: value) != nil)
        // Arrays of a hundred thousand levels would exhaust the stack when they go: take them apart.
        while let list = value as? [Any], let inner = list.first { value = inner }
    }

    @Test(
        arguments: [
            ("1", true), ("true", true), ("YES", true), ("0", false), ("", false), ("no", false), (1, true), (0, false),
            (true, true), (false, false), (0.5, true), ([1], false), (["a": 1], false),
        ] as [(PayloadValue, Bool)])
    func `are true as Foundation reads them`(value: PayloadValue, isTrue: Bool) {
        #expect(value.isTrue == isTrue)
    }

    @Test(
        arguments: [
            (5, 5), ("5", 5), (5.0, 5), ("-5", -5), ("x", nil), (.real(.nan), nil), (.real(1e300), nil), (true, nil),
        ] as [(PayloadValue, Int64?)])
    func `are whole numbers where they spell one`(value: PayloadValue, number: Int64?) {
        #expect(value.wholeNumber == number)
    }
}

@Suite struct `Values of property lists` {
    @Test(
        arguments: [
            (.bool(false), false, false), (.integer(1), true, true), (.real(0), false, false),
            (.string("NO"), nil, false),
            (.string("yes"), nil, true), (.string("maybe"), nil, nil), (.array([]), nil, nil),
        ] as [(PlistValue, Bool?, Bool?)])
    func `are flags when they are booleans or numbers`(value: PlistValue, flag: Bool?, lenient: Bool?) {
        #expect(value.flag == flag)
        #expect(value.lenientFlag == lenient)
    }

    @Test func `come back from a file as they were`() throws {
        let plist: [String: PlistValue] = [
            "s": .string("x"), "b": .bool(true), "i": .integer(-7), "r": .real(1.5),
            "d": .date(Date(timeIntervalSince1970: 1_700_000_000)), "y": .data([0, 255]),
            "a": .array([.integer(1), .string("1")]), "m": .dictionary(["k": .bool(false)]),
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            #expect(PlistValue.dictionary(parsing: Array(try encoder.encode(plist))) == plist)
        }
    }

    @Test func `random bytes never trap`() {
        for seed in 0..<1000 {
            let random = SeededRandom(seed: UInt64(seed))
            _ = PlistValue.dictionary(parsing: random.bytes(seed % 100))
            _ = PlistValue.dictionary(parsing: Array("bplist00".utf8) + random.bytes(seed % 100))
            _ = PlistValue.dictionary(parsing: Array("<plist><dict>".utf8) + random.bytes(seed % 100))
        }
    }
}

@Suite struct `Local times` {
    @Test func `and seconds are the same thing`() {
        let random = SeededRandom(seed: 7)
        for _ in 0..<5000 {
            let seconds = Int64(random.integer(below: .max)) * 60 - 60_000_000_000
            let limited = max(seconds, -62_135_596_800)
            #expect(LocalTime(secondsSince1970: limited).secondsSince1970 == limited)
        }
    }

    @Test func `agree with Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let random = SeededRandom(seed: 8)
        for _ in 0..<200 {
            let seconds = Int64(random.integer(below: .max))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            let time = LocalTime(secondsSince1970: seconds)
            #expect([time.year, time.month, time.day] == [parts.year, parts.month, parts.day])
            #expect([time.hour, time.minute, time.second] == [parts.hour, parts.minute, parts.second])
        }
    }

    @Test func `stay within bounds`() {
        #expect(LocalTime(secondsSince1970: .max).year == 9999)
        #expect(LocalTime(secondsSince1970: .min).year == 1)
        #expect(LocalTime(year: .max, month: 1, day: 1, hour: 0, minute: 0, second: 0).secondsSince1970 == nil)
        #expect(LocalTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0).secondsSince1970 == nil)
    }
}
