import Testing
import Timekeeping

@testable import Campaigns

@Suite struct `Local times` {
    @Test(arguments: [
        // Zone, what clocks show, the one moment that it means.
        ("Europe/Berlin", "2030-03-31T01:59:59", "2030-03-31T00:59:59Z"),
        ("Europe/Berlin", "2030-03-31T02:00", "2030-03-31T01:00:00Z"),
        ("Europe/Berlin", "2030-03-31T02:30", "2030-03-31T01:30:00Z"),
        ("Europe/Berlin", "2030-03-31T03:00", "2030-03-31T01:00:00Z"),
        ("Europe/Berlin", "2030-10-27T01:59:59", "2030-10-26T23:59:59Z"),
        ("Europe/Berlin", "2030-10-27T02:30", "2030-10-27T00:30:00Z"),
        ("Europe/Berlin", "2030-10-27T03:00", "2030-10-27T02:00:00Z"),
        ("America/New_York", "2030-03-10T02:30", "2030-03-10T07:30:00Z"),
        ("America/New_York", "2030-11-03T01:30", "2030-11-03T05:30:00Z"),
        ("Australia/Lord_Howe", "2030-10-06T02:15", "2030-10-05T15:45:00Z"),
        ("Australia/Lord_Howe", "2030-04-07T01:45", "2030-04-06T14:45:00Z"),
        ("Asia/Kolkata", "2030-03-31T02:30", "2030-03-30T21:00:00Z"),
        ("Europe/Dublin", "2030-07-01T12:00", "2030-07-01T11:00:00Z"),
        ("Europe/Dublin", "2030-01-01T12:00", "2030-01-01T12:00:00Z"),
        ("America/Nuuk", "2030-03-30T22:30", "2030-03-31T00:30:00Z"),
        ("Africa/Cairo", "2030-04-26T00:30", "2030-04-25T22:30:00Z"),
        ("Pacific/Auckland", "2030-09-29T02:30", "2030-09-28T14:30:00Z"),
        ("UTC", "2028-02-29T23:59:59", "2028-02-29T23:59:59Z"),
    ])
    func `mean one moment`(zone: String, local: String, moment: String) throws {
        let rules = try #require(TestZones().rules(named: zone))
        let local = try #require(LocalDateTime(local))
        #expect(rules.instant(of: local).rfc3339 == moment)
    }

    @Test(arguments: TestZones.rules.keys.sorted())
    func `that clocks show come back as the moment, or its first repetition`(zone: String) throws {
        let rules = try #require(TestZones().rules(named: zone))
        var seconds = time("2029-01-01T00:00:00Z").seconds
        let end = time("2031-01-01T00:00:00Z").seconds
        while seconds < end {
            let moment = Timestamp(seconds: seconds)
            let back = rules.instant(of: rules.local(moment))
            #expect(back == moment || (back < moment && rules.local(back) == rules.local(moment)))
            seconds += 9_000
        }
    }

    @Test(arguments: [
        "2030-02-29T10:00", "2030-13-01T10:00", "2030-01-01", "2030-01-01T24:00", "2030-01-01T10:60",
        "2030-01-01T10:00Z", "2030-01-01 10:00", "", "T", "1969-12-31T10:00", "3000-01-01T10:00", "2030-01-01T10:00:60",
    ])
    func `that do not exist are refused`(text: String) {
        #expect(LocalDateTime(text) == nil)
    }

    @Test func `are written as they are read`() throws {
        #expect(try #require(LocalDateTime("2030-03-31T02:30")).description == "2030-03-31T02:30:00")
        #expect(try #require(LocalTime("09:00")).description == "09:00")
        #expect(try #require(LocalTime("09:00:30")).description == "09:00:30")
        #expect(try #require(LocalDate("2028-02-29")).description == "2028-02-29")
    }
}

@Suite struct `The rule of a zone` {
    @Test(arguments: [
        "", "CET", "C-1", "CET-1CEST", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,100", "<CET-1", "<>-1",
        "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-1:60",
    ])
    func `is refused when it is none`(text: String) {
        #expect(PosixZoneRule(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("JJJ-9", "2030-01-01T00:00:00Z", 9 * 3600), ("XXX3", "2030-01-01T00:00:00Z", -3 * 3600),
        ("CET-1CEST,J60,J300", "2028-02-29T12:00:00Z", 3600), ("CET-1CEST,J60,J300", "2028-03-01T12:00:00Z", 7200),
        ("CET-1CEST,59,300", "2028-02-29T12:00:00Z", 7200), ("XXX3EDT4,0/0,J365/23", "2030-06-01T00:00:00Z", -4 * 3600),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2030-01-01T00:00:00Z", 13 * 3600),
    ])
    func `gives the offset of any time`(text: String, moment: String, offset: Int) throws {
        let rule = try #require(PosixZoneRule(Array(text.utf8)))
        #expect(rule.offset(atSeconds: time(moment).seconds) == Int64(offset))
    }
}
