import PropertyTesting
import Testing
import Timekeeping

@testable import Campaigns

@Suite struct `Files of the tz database` {
    /// Version 2: an empty first block, two changes in the second, and a rule for later.
    static let sample: [UInt8] = {
        func number(_ value: Int64, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * Int64(bytes - 1 - $0))) }
        }
        func header(times: Int64, types: Int64, characters: Int64) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
                + [0, 0, 0, times, types, characters].flatMap { number($0, 4) }
        }
        let first = header(times: 0, types: 1, characters: 1) + number(0, 4) + [0, 0, 0]
        let second =
            header(times: 2, types: 2, characters: 9) + number(1_000_000, 8) + number(2_000_000, 8) + [1, 0]
            + number(3600, 4) + [0, 0] + number(7200, 4) + [1, 4] + Array("CET\0CEST\0".utf8)
        return first + second + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    }()

    @Test func `give the offset before, between and after their changes`() throws {
        let rules = try ZoneRules(tzif: Self.sample)
        #expect(rules.offset(at: Timestamp(seconds: 999_999)) == 3600)
        #expect(rules.offset(at: Timestamp(seconds: 1_000_000)) == 7200)
        #expect(rules.offset(at: Timestamp(seconds: 1_999_999)) == 7200)
        #expect(rules.offset(at: time("2030-07-01T00:00:00Z")) == 7200)
        #expect(rules.offset(at: time("2030-12-01T00:00:00Z")) == 3600)
    }

    @Test func `that are cut off are refused, wherever`() {
        for length in 0..<Self.sample.count {
            #expect(throws: TZifError.self) { try ZoneRules(tzif: Array(Self.sample.prefix(length))) }
        }
    }

    @Test func `that are too long or count too much are refused`() {
        let long = Self.sample + [UInt8](repeating: 0, count: ZoneRules.maximumFileBytes)
        #expect(throws: TZifError.self) { try ZoneRules(tzif: long) }
        for place in 20..<44 {
            var file = Self.sample
            file[place] = 0x7F
            #expect(throws: TZifError.self) { try ZoneRules(tzif: file) }
        }
    }

    /// Whatever the bytes, reading ends with rules that answer, or with an error.
    @Test func `that are damaged do no harm`() {
        var generator = SeededGenerator(seed: 8_536)
        let alphabet = Array("TZif2\n,-+<>MJ./:0123456789".utf8) + [0, 1, 2, 0x7F, 0x80, 0xFF]
        for _ in 0..<4_000 {
            guard let rules = try? ZoneRules(tzif: generator.mutate(Self.sample, alphabet: alphabet)) else { continue }
            for seconds in [Int64.min / 1000, -1, 0, 1_500_000, 1_900_000_000, Int64.max / 1000] {
                #expect(rules.offset(at: Timestamp(seconds: seconds)).magnitude <= 27 * 3600)
            }
            if let local = LocalDateTime("2030-03-31T02:30") { _ = rules.instant(of: local) }
        }
    }

    @Test(arguments: [
        "", "/etc/passwd", "../../../etc/passwd", "Europe/../../etc/passwd", "Europe//Berlin", "Europe/Berlin/", ".",
        "Europe/.hidden", "Europe/Ber\0lin", "tzdata.zi", "1Zone", "Europe/Berlin\n", "Europe/Berlín", "~root",
        String(repeating: "A", count: 65),
    ])
    func `have no name that leads elsewhere`(name: String) {
        #expect(ZoneFolder().rules(named: name) == nil)
    }

    @Test func `leave UTC alone when they are missing`() {
        let zones = ZoneFolder(path: "/nonexistent/zoneinfo")
        #expect(!zones.isPresent)
        #expect(zones.rules(named: "UTC") == .utc)
        #expect(zones.rules(named: "Europe/Berlin") == nil)
    }

    /// Against what the machine has, where it has it: each file is read, and agrees with its rule.
    @Test func `of this machine are read`() throws {
        let zones = ZoneFolder()
        guard zones.isPresent else { return }
        for name in TestZones.rules.keys {
            let rules = try #require(zones.rules(named: name), "\(name)")
            let rule = try #require(TestZones().rules(named: name))
            for month in 1...12 where name != "America/Nuuk" {
                let moment = time("2036-\(month < 10 ? "0" : "")\(month)-15T12:00:00Z")
                #expect(rules.offset(at: moment) == rule.offset(at: moment), "\(name) \(month)")
            }
        }
        let samoa = try #require(zones.rules(named: "Pacific/Apia"))
        let skipped = try #require(LocalDateTime("2011-12-30T09:00"))
        #expect(samoa.instant(of: skipped).rfc3339 == "2011-12-30T19:00:00Z")
    }
}
