import Testing
import Timekeeping

@Suite struct `Timestamps as text` {
    static let rows: [(text: String, milliseconds: Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2000-02-29T12:00:00Z", 951_825_600_000),
        ("2026-07-04T05:06:07.008Z", 1_783_141_567_008), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ]

    @Test(arguments: rows.indices) func `are written and read`(row: Int) {
        let (text, milliseconds) = Self.rows[row]
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test func `are read with offsets and long fractions`() {
        let noon = Timestamp(rfc3339: "2026-01-01T12:00:00Z")
        #expect(Timestamp(rfc3339: "2026-01-01T14:30:00+02:30") == noon)
        #expect(Timestamp(rfc3339: "2026-01-01t07:00:00-05:00") == noon)
        #expect(Timestamp(rfc3339: "2026-01-01T12:00:00.000999999z") == noon)
        #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z")?.rfc3339 == "2016-12-31T23:59:59Z")
    }

    @Test(arguments: [
        "", "2026", "2026-01-01", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
        "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
        "2026-01-01T00:00:00+2:00", "2026-01-01T00:00:00+24:00", "0000-01-01T00:00:00Z", "2026-01-01T00:00:00Zx",
        "+026-01-01T00:00:00Z", "2026-01-0١T00:00:00Z",
    ]) func `are refused when they are not RFC 3339`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `are written as HTTP writes dates`() {
        #expect(Timestamp(seconds: 784_111_777).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `agree with themselves on every day of 800 years`() {
        for day in stride(from: Int64(-146_097), through: 146_097, by: 1) {
            let time = Timestamp(seconds: day * 86_400)
            #expect(Timestamp(rfc3339: time.rfc3339) == time)
        }
    }

    @Test func `beyond four-digit years stay at the edge`() {
        #expect(Timestamp(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).rfc3339 == "0001-01-01T00:00:00Z")
    }
}
