import JSON
import PushModel
import Testing
import Timekeeping

@testable import Campaigns

@Suite struct `A schedule` {
    static func times(
        _ text: String, from: String, count: Int = 4, zones: [String] = []
    ) throws -> [Occurrence] {
        var reader = ScheduleReader()
        let schedule = try #require(reader.schedule(try json(text)), "\(reader.violations)")
        let occurrences = try #require(
            Occurrences(schedule, publishedAt: time(from), zones: TestZones(), recipientZones: zones))
        guard let first = occurrences.first() else { return [] }
        guard schedule.repetition != .now else { return [first] }
        return [first] + occurrences.following(first.at, count: count - 1)
    }

    @Test(
        arguments: [
            // Over both changes of Berlin's clocks.
            (
                #"{"kind":"DAILY","timeOfDay":"02:30","timeZone":"Europe/Berlin"}"#, "2030-03-29T12:00:00Z",
                ["2030-03-30T01:30:00Z", "2030-03-31T01:30:00Z", "2030-04-01T00:30:00Z", "2030-04-02T00:30:00Z"]
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"02:30","timeZone":"Europe/Berlin"}"#, "2030-10-26T12:00:00Z",
                ["2030-10-27T00:30:00Z", "2030-10-28T01:30:00Z", "2030-10-29T01:30:00Z", "2030-10-30T01:30:00Z"]
            ),
            // From the second of two equal local times on, the next day comes.
            (
                #"{"kind":"DAILY","timeOfDay":"02:30","timeZone":"Europe/Berlin"}"#, "2030-10-27T00:45:00Z",
                ["2030-10-28T01:30:00Z", "2030-10-29T01:30:00Z", "2030-10-30T01:30:00Z", "2030-10-31T01:30:00Z"]
            ),
            (
                #"{"kind":"WEEKLY","weekdays":["MON","SUN"],"timeOfDay":"09:00","timeZone":"America/New_York"}"#,
                "2030-03-09T00:00:00Z",
                ["2030-03-10T13:00:00Z", "2030-03-11T13:00:00Z", "2030-03-17T13:00:00Z", "2030-03-18T13:00:00Z"]
            ),
            // The end date is the last day.
            (
                #"{"kind":"DAILY","timeOfDay":"09:00","endDate":"2030-01-03"}"#, "2030-01-01T10:00:00Z",
                ["2030-01-02T09:00:00Z", "2030-01-03T09:00:00Z"]
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"23:30","timeZone":"America/New_York","endDate":"2030-01-02"}"#,
                "2030-01-02T03:00:00Z", ["2030-01-02T04:30:00Z", "2030-01-03T04:30:00Z"]
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"09:00","startDate":"2030-02-01","endDate":"2030-02-01"}"#,
                "2030-01-01T10:00:00Z", ["2030-02-01T09:00:00Z"]
            ),
            // 29 February.
            (
                #"{"kind":"CUSTOM","dates":["2028-03-01","2028-02-29"],"timeOfDay":"12:00"}"#, "2028-02-01T00:00:00Z",
                ["2028-02-29T12:00:00Z", "2028-03-01T12:00:00Z"]
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"12:00"}"#, "2028-02-28T12:00:00Z",
                ["2028-02-29T12:00:00Z", "2028-03-01T12:00:00Z", "2028-03-02T12:00:00Z", "2028-03-03T12:00:00Z"]
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"12:00"}"#, "2027-02-28T12:00:00Z",
                ["2027-03-01T12:00:00Z", "2027-03-02T12:00:00Z", "2027-03-03T12:00:00Z", "2027-03-04T12:00:00Z"]
            ),
            // Every third day from a start that has passed.
            (
                #"{"kind":"CUSTOM","everyDays":3,"timeOfDay":"12:00","startDate":"2030-01-01"}"#,
                "2030-01-05T00:00:00Z",
                ["2030-01-07T12:00:00Z", "2030-01-10T12:00:00Z", "2030-01-13T12:00:00Z", "2030-01-16T12:00:00Z"]
            ),
            (
                #"{"kind":"CUSTOM","everyDays":2,"timeOfDay":"12:00"}"#, "2030-01-05T13:00:00Z",
                ["2030-01-07T12:00:00Z", "2030-01-09T12:00:00Z", "2030-01-11T12:00:00Z", "2030-01-13T12:00:00Z"]
            ),
            // Once, and never again.
            (
                #"{"kind":"AT","at":"2030-03-31T02:30","timeZone":"Europe/Berlin"}"#, "2030-03-30T00:00:00Z",
                ["2030-03-31T01:30:00Z"]
            ),
            (#"{"kind":"AT","at":"2030-03-31T02:30","timeZone":"Europe/Berlin"}"#, "2030-03-31T01:30:00Z", []),
            (#"{"kind":"CUSTOM","dates":["2028-02-29"],"timeOfDay":"12:00"}"#, "2028-03-01T00:00:00Z", []),
            (#"{"kind":"NOW"}"#, "2030-01-01T10:00:00Z", ["2030-01-01T10:00:00Z"]),
        ] as [(String, String, [String])])
    func `has the times that it says`(schedule: String, from: String, expected: [String]) throws {
        #expect(try Self.times(schedule, from: from).map(\.at.rfc3339) == expected)
    }

    /// Case CON-04.
    @Test(arguments: [
        ("2030-03-31T02:30", "2030-03-31T01:30:00Z"), ("2030-10-27T02:30", "2030-10-27T00:30:00Z"),
    ])
    func `CON-04 sends once across a clock change, and says when`(local: String, moment: String) throws {
        let text = #"{"kind":"AT","at":"\#(local)","timeZone":"Europe/Berlin"}"#
        let times = try Self.times(text, from: "2030-01-01T00:00:00Z", count: 5)
        #expect(times.map(\.at.rfc3339) == [moment])
    }

    @Test(arguments: TestZones.rules.keys.sorted(), ["00:00", "00:30", "01:30", "02:15", "02:30", "03:00", "23:30"])
    func `comes once on each day of the year, whatever clocks do`(zone: String, timeOfDay: String) throws {
        let text =
            #"{"kind":"DAILY","timeOfDay":"\#(timeOfDay)","timeZone":"\#(zone)","startDate":"2030-01-01","endDate":"2030-12-31"}"#
        let times = try Self.times(text, from: "2029-12-01T00:00:00Z", count: 400)
        #expect(times.count == 365)
        #expect(Set(times.map(\.local.date)).count == 365)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.at < $1.at })
    }

    @Test func `in the recipients' time goes to Apple ahead, and to others as their zones come`() throws {
        let text = #"{"kind":"AT","at":"2030-07-01T09:00","timeZone":"RECIPIENT"}"#
        let zones = ["Europe/Berlin", "Asia/Kolkata", "Europe/Dublin", "America/New_York", "Nowhere/At_All"]
        let times = try Self.times(text, from: "2030-06-01T00:00:00Z", count: 9, zones: zones)
        #expect(
            times.map(\.at.rfc3339) == [
                "2030-06-30T18:00:00Z", "2030-07-01T03:30:00Z", "2030-07-01T07:00:00Z", "2030-07-01T08:00:00Z",
                "2030-07-01T09:00:00Z", "2030-07-01T13:00:00Z",
            ])
        #expect(
            times.map(\.audience) == [
                .apple, .zones(["Asia/Kolkata"]), .zones(["Europe/Berlin"]), .zones(["Europe/Dublin"]), .zones(["UTC"]),
                .zones(["America/New_York"]),
            ])
        #expect(Set(times.map(\.local.description)) == ["2030-07-01T09:00:00"])
    }

    @Test func `in the recipients' time goes out at once when it is late for that but not too late`() throws {
        let text = #"{"kind":"AT","at":"2030-07-01T09:00","timeZone":"RECIPIENT"}"#
        let times = try Self.times(text, from: "2030-07-01T05:00:00Z", count: 9)
        #expect(times.map(\.at.rfc3339) == ["2030-07-01T05:00:00Z", "2030-07-01T09:00:00Z"])
        #expect(try Self.times(text, from: "2030-07-02T05:00:00Z", count: 9).isEmpty)
    }

    @Test(arguments: [
        ("{}", "schedule.kind"), (#"{"kind":"HOURLY"}"#, "schedule.kind"), (#"{"kind":"AT"}"#, "schedule.at"),
        (#"{"kind":"AT","at":"2030-02-29T10:00"}"#, "schedule.at"),
        (#"{"kind":"AT","at":"2030-02-28T10:00Z"}"#, "schedule.at"),
        (#"{"kind":"DAILY"}"#, "schedule.timeOfDay"), (#"{"kind":"DAILY","timeOfDay":"9"}"#, "schedule.timeOfDay"),
        (#"{"kind":"WEEKLY","timeOfDay":"09:00"}"#, "schedule.weekdays"),
        (#"{"kind":"WEEKLY","timeOfDay":"09:00","weekdays":["MONDAY"]}"#, "schedule.weekdays"),
        (#"{"kind":"CUSTOM","timeOfDay":"09:00"}"#, "schedule.everyDays"),
        (#"{"kind":"CUSTOM","timeOfDay":"09:00","everyDays":0}"#, "schedule.everyDays"),
        (#"{"kind":"CUSTOM","timeOfDay":"09:00","everyDays":9223372036854775807}"#, "schedule.everyDays"),
        (#"{"kind":"CUSTOM","timeOfDay":"09:00","dates":["2027-02-29"]}"#, "schedule.dates"),
        (#"{"kind":"NOW","timeZone":"../etc/passwd"}"#, "schedule.timeZone"),
        (#"{"kind":"NOW","timeZone":"RECIPIENT"}"#, "schedule.timeZone"),
        (#"{"kind":"DAILY","timeOfDay":"09:00","startDate":"2030-01-02","endDate":"2030-01-01"}"#, "schedule.endDate"),
        (#"{"kind":"DAILY","timeOfDay":"09:00","endDate":"tomorrow"}"#, "schedule.endDate"),
        (#"{"kind":"NOW","ifMissed":"MAYBE"}"#, "schedule.ifMissed"), (#"{"kind":"NOW","when":"x"}"#, "schedule.when"),
    ])
    func `is refused by the name of the field`(text: String, field: String) throws {
        var reader = ScheduleReader()
        #expect(reader.schedule(try json(text)) == nil)
        #expect(reader.violations.map(\.field).contains(field))
    }
}

@Suite struct `What is missed` {
    static func plan(
        _ text: String, due: String, now: String, published: String = "2030-01-01T00:00:00Z"
    ) throws -> RunPlan {
        let content = try Campaign.composed(#"{"name":"n","schedule":\#(text)}"#)
        let schedule = try #require(content.schedule)
        let occurrences = try #require(
            Occurrences(
                schedule, publishedAt: time(published), zones: TestZones(), recipientZones: []))
        let due = try #require(occurrences.next(after: time(due).adding(milliseconds: -1)))
        let campaign = Campaign(
            id: CampaignID(value: 1), project: .init(value: 1), content: content, createdAt: time(published),
            createdBy: "a", updatedAt: time(published))
        return RunPlan(campaign: campaign, due: due, occurrences: occurrences, now: time(now))
    }

    static let daily = #"{"kind":"DAILY","timeOfDay":"09:00"}"#
    static let skipping = #"{"kind":"DAILY","timeOfDay":"09:00","ifMissed":"SKIP"}"#

    @Test(
        arguments: [
            // On time; a little late; three days late.
            (daily, "2030-02-01T09:00:00Z", "2030-02-01T09:00:00Z", true, 0, "2030-02-02T09:00:00Z"),
            (skipping, "2030-02-01T09:00:00Z", "2030-02-01T09:09:00Z", true, 0, "2030-02-02T09:00:00Z"),
            (skipping, "2030-02-01T09:00:00Z", "2030-02-01T09:11:00Z", false, 0, "2030-02-02T09:00:00Z"),
            (daily, "2030-02-01T09:00:00Z", "2030-02-04T08:00:00Z", true, 2, "2030-02-04T09:00:00Z"),
            (skipping, "2030-02-01T09:00:00Z", "2030-02-04T08:00:00Z", false, 2, "2030-02-04T09:00:00Z"),
            // The latest one is on time whatever was missed before.
            (skipping, "2030-02-01T09:00:00Z", "2030-02-04T09:00:00Z", true, 3, "2030-02-05T09:00:00Z"),
            (#"{"kind":"AT","at":"2030-02-01T09:00"}"#, "2030-02-01T09:00:00Z", "2031-01-01T00:00:00Z", true, 0, nil),
            (
                #"{"kind":"AT","at":"2030-02-01T09:00","ifMissed":"SKIP"}"#, "2030-02-01T09:00:00Z",
                "2031-01-01T00:00:00Z",
                false, 0, nil
            ),
            (
                #"{"kind":"DAILY","timeOfDay":"09:00","endDate":"2030-02-02"}"#, "2030-02-01T09:00:00Z",
                "2030-02-05T09:00:00Z", true, 1, nil
            ),
        ] as [(String, String, String, Bool, Int64, String?)])
    func `is sent once or left out, as the schedule says`(
        schedule: String, due: String, now: String, sends: Bool, missed: Int64, next: String?
    ) throws {
        let plan = try Self.plan(schedule, due: due, now: now)
        #expect(plan.sends == sends)
        #expect(plan.missed == missed)
        #expect(plan.next?.at.rfc3339 == next)
    }
}
