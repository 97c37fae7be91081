import Campaigns
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import SQLiteStore

@Suite struct `A segment` {
    let directory = TemporaryDirectory()

    static func fid(_ number: Int) -> String { "c" + String(String(number + 1_000_000).reversed()) + "AAAAAAAAAAAAAA" }

    /// Six app instances: versions 1.0 to 3.0, three languages, two apps.
    static func people(_ store: SQLiteStore, _ project: Project) async throws -> [Registration] {
        let rows: [(version: String, locale: String?, zone: String?, isApple: Bool)] = [
            ("1.0", "de_DE", "Europe/Berlin", true), ("2.0.9", "de_AT", "Europe/Vienna", true),
            ("2.1", "fr-FR", "Europe/Paris", false), ("2.10", "pt_BR", "America/Sao_Paulo", true),
            ("3.0-beta", "pt_PT", nil, false), ("", nil, nil, false),
        ]
        var people: [Registration] = []
        for (number, row) in rows.enumerated() {
            var draft = Sample.draft(project, fid: fid(number), address: Sample.address(UInt8(number + 1)))
            draft.app = AppID("1:\(project.number):ios:\(number % 2 == 0 ? "aa" : "bb")")
            draft.channel = row.isApple ? draft.channel : .device
            draft.androidID = UInt64(100 + number)
            draft.appVersion = row.version
            draft.locale = DeviceLocale(locale: row.locale, timeZone: row.zone)
            draft.time = Timestamp.testStart.adding(seconds: Int64(number) * 86_400)
            people.append(try await store.register(draft))
        }
        try await store.setProperties(["plan": "pro", "age": "42"], of: people[0])
        try await store.setProperties(["plan": "free", "age": "17"], of: people[1])
        try await store.setProperties(["plan": "PRO plus"], of: people[2])
        return people
    }

    static let table: [(SegmentRule, [Int])] = [
        (.all([]), [0, 1, 2, 3, 4, 5]), (.version(.isEqual("2.1")), [2]), (.version(.isNot("2.1")), [0, 1, 3, 4, 5]),
        (.version(.contains("2.1")), [2, 3]), (.version(.matches("2.*")), [1, 2, 3]),
        (.version(.matches("*beta")), [4]), (.version(.atLeast("2.1")), [2, 3, 4]), (.version(.below("2.1")), [0, 1]),
        (.version(.atLeast("3.0")), []), (.version(.isEqual("9")), []), (.language(["de"]), [0, 1]),
        (.language(["pt-BR", "fr"]), [2, 3]), (.language(["xx"]), []), (.country(["DE", "PT"]), [0, 4]),
        (.not(.language(["de"])), [2, 3, 4, 5]), (.not(.country(["DE"])), [1, 2, 3, 4, 5]),
        (.property(name: "plan", .isEqual("pro")), [0]), (.property(name: "plan", .isNot("pro")), [1, 2, 3, 4, 5]),
        (.property(name: "plan", .exists), [0, 1, 2]), (.property(name: "plan", .contains("pro")), [0, 2]),
        (.property(name: "age", .greaterThan(18)), [0]), (.property(name: "age", .lessThan(18)), [1]),
        (.property(name: "none", .exists), []), (.property(name: "none", .isNot("x")), [0, 1, 2, 3, 4, 5]),
        (.property(name: "plan", .isEqual("' OR 1=1 --")), []),
        (.firstOpen(.before(Timestamp.testStart.adding(seconds: 86_401))), [0, 1]),
        (.firstOpen(.after(Timestamp.testStart.adding(seconds: 4 * 86_400))), [4, 5]),
        (.lastEngagement(.after(Timestamp.testStart.adding(seconds: 5 * 86_400))), [5]),
        (.isApple(true), [0, 1, 3]), (.isApple(false), [2, 4, 5]),
        (.timeZone(["Europe/Berlin", "UTC"], orUnknown: true), [0, 4, 5]),
        (.timeZone(["Europe/Paris"], orUnknown: false), [2]),
        (.all([.language(["de"]), .not(.property(name: "plan", .isEqual("pro")))]), [1]),
        (.not(.all([.language(["de"]), .version(.atLeast("2"))])), [0, 2, 3, 4, 5]),
    ]

    @Test func `means those for whom its rules hold`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let people = try await Self.people(store, project)
        for (rule, expected) in Self.table {
            let segment = Segment([rule])
            let chunk = try store.members(of: segment, in: project.number, after: nil, limit: 100, examining: 1_000)
            #expect(chunk.members == expected.map { people[$0].id }, "\(rule)")
            #expect(chunk.isLast)
            let audience = try store.audience(of: segment, in: project.number)
            #expect(
                audience == Audience(devices: expected.count, registrations: expected.count, isExact: true), "\(rule)")
            #expect(Segment(json: segment.json) == segment)
        }
        let both = Segment([.app([AppID("1:\(project.number):ios:aa")!]), .country(["DE", "FR", "BR"])])
        let chunk = try store.members(of: both, in: project.number, after: nil, limit: 100, examining: 1_000)
        #expect(chunk.members == [people[0].id, people[2].id])
        #expect(
            Set(try store.timeZones(of: project.number)) == [
                "Europe/Berlin", "Europe/Vienna", "Europe/Paris", "America/Sao_Paulo",
            ])
    }

    @Test(arguments: [1, 2, 100]) func `is read piece by piece without a gap or a repetition`(step: Int) async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let people = try await Self.people(store, project)
        for (rule, expected) in Self.table {
            var found: [RegistrationID] = []
            var chunk = FanOutChunk(members: [], cursor: nil, isLast: false)
            var steps = 0
            while !chunk.isLast, steps < 20 {
                chunk = try store.members(
                    of: Segment([rule]), in: project.number, after: chunk.cursor, limit: step, examining: step)
                found += chunk.members
                steps += 1
            }
            #expect(found == expected.map { people[$0].id }, "\(rule)")
        }
    }

    @Test func `knows what a device said at check-in`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let device = DeviceCredentials(androidID: 42, securityToken: 7)
        try await store.addDevice(device, at: .testStart)
        try await store.noteLocale(DeviceLocale(locale: "fr_FR", timeZone: "Europe/Paris"), of: 42)
        let registration = try await store.register(Sample.draft(project))
        func fits(_ rule: SegmentRule) throws -> Bool {
            try store.members(of: Segment([rule]), in: project.number, after: nil, limit: 9, examining: 99).members
                == [registration.id]
        }
        #expect(try fits(.language(["fr"])))
        // Another language in the settings, told at the next check-in.
        try await store.noteLocale(DeviceLocale(locale: "de_AT", timeZone: "Europe/Vienna"), of: 42)
        #expect(try fits(.language(["de"])) && fits(.country(["AT"])))
        #expect(try fits(.timeZone(["Europe/Vienna"], orUnknown: false)))
        #expect(try store.timeZones(of: project.number).contains("Europe/Vienna"))
    }

    @Test func `knows when somebody used the app last`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        let later = Timestamp.testStart.adding(seconds: 86_400)
        let rule = Segment([.lastEngagement(.after(later))])
        #expect(try store.members(of: rule, in: project.number, after: nil, limit: 9, examining: 99).members.isEmpty)
        let event = ReportedEvent(
            .opened, project: project.number, messageID: "1", instanceID: Sample.fid, occurredAt: later)
        _ = try await store.keepReports([event], receivedAt: later)
        #expect(
            try store.members(of: rule, in: project.number, after: nil, limit: 9, examining: 99).members
                == [registration.id])
    }

    @Test func `asks for properties that are bounded and can be taken away`() async throws {
        let store = try directory.open()
        let project = try await Sample.project(store)
        let registration = try await store.register(Sample.draft(project))
        try await store.setProperties(["a": "1", "b": "2"], of: registration)
        try await store.setProperties(["a": nil, "b": "3"], of: registration)
        #expect(try store.properties(of: registration) == ["b": "3"])
        let many = Dictionary(uniqueKeysWithValues: (0..<PropertyLimits.perInstance).map { ("k\($0)", String?("v")) })
        await #expect(throws: StoreError.self) { try await store.setProperties(many, of: registration) }
        #expect(try store.properties(of: registration) == ["b": "3"])
    }
}
