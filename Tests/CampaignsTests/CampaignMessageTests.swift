import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@testable import Campaigns

@Suite struct `A campaign's message` {
    static let now = time("2030-01-01T10:00:00Z")

    @Test func `says to Apple apps which campaign it is`() throws {
        var content = CampaignContent(name: "Spring", title: "T", body: "B")
        content.options.conversionEvent = "purchase"
        content.options.analyticsLabel = AnalyticsLabel("spring")
        content.options.sound = "default"
        content.options.badge = 3
        content.options.clickAction = "OPEN"
        let payload = Rendered.preview(content).payload
        #expect(payload["google.c.a.e"] == "1")
        #expect(payload["google.c.a.c_id"] == "77")
        #expect(payload["google.c.a.c_l"] == "Spring")
        #expect(payload["google.c.a.ts"] == .string(String(Self.now.seconds)))
        #expect(payload["google.c.a.udt"] == "0")
        #expect(payload["google.c.a.tc"] == "1")
        #expect(payload["google.c.a.m_l"] == "spring")
        #expect(payload["aps"]?["sound"] == "default")
        #expect(payload["aps"]?["badge"] == 3)
        #expect(payload["aps"]?["category"] == "OPEN")
    }

    @Test(arguments: [(2_419_200, "1895911200"), (60, "1893492060"), (0, "0")] as [(Int64, String)])
    func `CON-08 expires so long after it is sent, not after it was composed`(seconds: Int64, expected: String) {
        var content = CampaignContent(name: "n", body: "B")
        content.options.expiry = TimeToLive(seconds: seconds)!
        let headers = Rendered.preview(content).headers
        #expect(headers.first { $0.key == "apns-expiration" }?.value == expected)
        let request = CampaignMessage(
            content, id: nil, due: Occurrence(at: Self.now, local: ZoneRules.utc.local(Self.now), audience: .everyone),
            now: Self.now
        ).request(to: .segment(Segment([])), in: Rendered.project.id)
        #expect(request.message.android?.timeToLive?.seconds == seconds)
        #expect(request.message.webpush?.headers.first { $0.key == "ttl" }?.value == String(seconds))
    }

    @Test func `CON-02 is left to Apple's SDK to show at the recipient's time`() throws {
        var content = CampaignContent(name: "Lunch", title: "Lunch", body: "Noon, your time")
        content.options.sound = "default"
        content.options.badge = 1
        content.options.data = [.init(key: "k", value: "v")]
        content.options.expiry = TimeToLive(seconds: 86_400)!
        let preview = Rendered.preview(
            content, audience: .apple, now: "2030-03-03T21:00:00Z", local: "2030-03-04T12:00")
        let payload = preview.payload
        #expect(preview.violations.isEmpty)
        #expect(payload["aps"] == ["content-available": 1])
        #expect(payload["google.c.cm.lt_start"] == "2030-03-04 12:00:00")
        #expect(payload["google.c.cm.lt_end"] == "2030-03-05 12:00:00")
        #expect(payload["gcm.notification.title"] == "Lunch")
        #expect(payload["gcm.notification.body"] == "Noon, your time")
        #expect(payload["gcm.notification.sound"] == "default")
        #expect(payload["gcm.notification.badge"] == "1")
        #expect(payload["google.c.a.udt"] == "1")
        #expect(payload["k"] == "v")
        let headers = Dictionary(preview.headers.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        #expect(headers["apns-push-type"] == "background")
        #expect(headers["apns-priority"] == "5")
        // Noon has come in the last zone of the world, and a day later nobody shows it any more.
        #expect(headers["apns-expiration"] == String(time("2030-03-06T00:00:00Z").seconds))
    }

    @Test func `CON-03 names the local time in digits that no calendar setting changes`() throws {
        let content = CampaignContent(name: "Lunch", body: "Noon")
        let preview = Rendered.preview(
            content, audience: .apple, now: "2030-03-03T21:00:00Z", local: "2030-03-04T00:05:09")
        #expect(preview.payload["google.c.cm.lt_start"] == "2030-03-04 00:05:09")
    }

    @Test func `is refused when Apple has no room for it`() {
        let long = CampaignContent(
            name: "n", body: String(repeating: "😀", count: 1_000),
            options: {
                var options = CampaignOptions()
                options.data = [.init(key: "k", value: String(repeating: "x", count: 1_000))]
                return options
            }())
        #expect(Rendered.preview(long).violations.map(\.field) == ["notification"])
    }

    @Test func `has twice the room when it goes to one device`() {
        var content = CampaignContent(name: "n", body: String(repeating: "é", count: 1_000))
        content.options.data = [.init(key: "k", value: String(repeating: "x", count: 1_000))]
        let description = "Message is too large. The maximum is 2K (2048 bytes). Shorten the text or the data."
        #expect(Rendered.preview(content).violations.map(\.description) == [description])
        content.target = .device("dPreviewPreviewPreview")
        #expect(Rendered.preview(content).violations.isEmpty)
    }

    @Test func `narrows its segment to those whose time it is`() {
        func rules(_ audience: Occurrence.Audience) -> [SegmentRule] {
            let due = Occurrence(at: Self.now, local: ZoneRules.utc.local(Self.now), audience: audience)
            let segment = Segment([.firstOpen(.withinDays(1))])
            return CampaignMessage(CampaignContent(name: "n"), id: nil, due: due, now: Self.now).narrowed(segment).rules
        }
        let base = SegmentRule.firstOpen(.after(time("2029-12-31T10:00:00Z")))
        #expect(rules(.everyone) == [base])
        #expect(rules(.apple) == [base, .isApple(true)])
        #expect(
            rules(.zones(["Asia/Kolkata", "UTC"]))
                == [base, .isApple(false), .timeZone(["Asia/Kolkata", "UTC"], orUnknown: true)])
    }
}
