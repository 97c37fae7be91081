import JSON
import PushCore
import PushModel
import Testing

@testable import Campaigns

@Suite struct `What is composed` {
    static let whole = """
        {"name":"Spring","notification":{"title":"Hello","body":"World","imageUrl":"https://example.com/a.png"},
         "options":{"data":{"k":"v"},"sound":"default","badge":3,"clickAction":"OPEN","priority":"NORMAL",
           "expirySeconds":3600,"analyticsLabel":"spring","conversionEvent":"purchase","androidChannel":"news"},
         "target":{"segment":{"all":[{"app":{"appIds":["1:123456789012:ios:abcdef"]}},
           {"version":{"op":"atLeast","value":"2.1"}},{"language":{"in":["de","pt-BR"]}},{"country":{"in":["DE"]}},
           {"firstOpen":{"op":"after","value":"2026-01-01T00:00:00Z"}},{"lastEngagement":{"op":"withinDays","value":7}},
           {"property":{"name":"plan","op":"is","value":"pro"}},
           {"not":{"all":[{"property":{"name":"age","op":"lessThan","value":18}},{"country":{"in":["AT","CH"]}}]}}]}},
         "schedule":{"kind":"WEEKLY","weekdays":["MON"],"timeOfDay":"09:00","timeZone":"Europe/Berlin",
           "endDate":"2030-12-31","ifMissed":"SKIP"}}
        """

    @Test func `comes back as it was written`() throws {
        let content = try Campaign.composed(Self.whole)
        #expect(CampaignContent(stored: content.json) == content)
        #expect(content.json == CampaignContent(stored: content.json)?.json)
    }

    @Test func `may be sent back with what the service added`() throws {
        var text = try json(Self.whole)
        text["state"] = "DRAFT"
        text["revision"] = 3
        text["counts"] = ["sent": 1]
        var reader = CampaignReader()
        _ = reader.content(text)
        #expect(reader.violations.isEmpty)
    }

    @Test(arguments: ["from", "google.c.a.e", "google.", "gcm.notification.title", "gcm.", "aps", "message_type"])
    func `CON-06 is refused in the form for reserved data keys`(key: String) throws {
        var reader = CampaignReader()
        _ = reader.content(["name": "n", "options": ["data": .object(JSONObject([(key, "v")]))]])
        #expect(reader.violations.map(\.field) == ["options.data.\(key)"])
    }

    @Test func `CON-06 keeps custom data that is named like options`() throws {
        let content = try Campaign.composed(
            #"{"name":"n","notification":{"title":"Hello","body":"World"},"options":{"data":{"content_available":"true","title":"x"}}}"#
        )
        let preview = Rendered.preview(content)
        #expect(preview.violations.isEmpty)
        #expect(preview.payload["content_available"] == "true")
        #expect(preview.payload["title"] == "x")
        #expect(preview.payload["aps"] == ["alert": ["title": "Hello", "body": "World"]])
    }

    @Test func `CON-07 keeps markup, emoji and directions code point for code point`() throws {
        let title = #"<b>50% off</b> & "more" 😀 {{name}}"#
        let body = "line 1\nline 2 <script>alert(1)</script> \u{202E}abc"
        let content = CampaignContent(name: "a'; --", title: title, body: body)
        let preview = Rendered.preview(content)
        #expect(preview.payload["aps"]?["alert"]?["title"] == .string(title))
        #expect(preview.payload["aps"]?["alert"]?["body"] == .string(body))
        #expect(preview.payload["google.c.a.c_l"] == "a'; --")
    }

    @Test(arguments: [0, 1, 2_419_200]) func `CON-08 takes an expiry up to four weeks`(seconds: Int64) throws {
        let content = try Campaign.composed(#"{"name":"n","options":{"expirySeconds":\#(seconds)}}"#)
        #expect(content.options.expiry.seconds == seconds)
    }

    @Test(arguments: [
        (#"{"name":"n","options":{"expirySeconds":2419201}}"#, "options.expirySeconds"),
        (#"{"name":"n","options":{"expirySeconds":-1}}"#, "options.expirySeconds"),
        (#"{"name":"n","options":{"expirySeconds":"1"}}"#, "options.expirySeconds"),
        (#"{"name":"n","options":{"badge":-1}}"#, "options.badge"),
        (#"{"name":"n","options":{"priority":"URGENT"}}"#, "options.priority"),
        (#"{"name":"n","options":{"analyticsLabel":"two words"}}"#, "options.analyticsLabel"),
        (#"{"name":"n","options":{"data":{"k":1}}}"#, "options.data.k"),
        (#"{"name":"n","options":{"colour":"red"}}"#, "options.colour"), (#"{}"#, "name"),
        (#"{"name":" \t\n"}"#, "name"),
        (#"{"name":"n","notification":"x"}"#, "notification"),
        (#"{"name":"n","notification":{"imageUrl":"http://example.com/a.png"}}"#, "notification.imageUrl"),
        (#"{"name":"n","notification":{"imageUrl":"javascript:alert(1)"}}"#, "notification.imageUrl"),
        (#"{"name":"n","target":{"topic":"a b"}}"#, "target.topic"), (#"{"name":"n","target":{}}"#, "target"),
        (#"{"name":"n","target":{"topic":"a","device":"b"}}"#, "target"),
        (#"{"name":"n","target":{"device":"  "}}"#, "target.device"),
        (#"{"name":"n","target":{"condition":"nonsense"}}"#, "target.condition"),
        (#"{"name":"n","target":{"segment":{}}}"#, "target.segment"),
        (#"{"name":"n","target":{"segment":{"all":[{"app":{"appIds":["x"]}}]}}}"#, "target.segment.all[0].app.appIds"),
        (
            #"{"name":"n","target":{"segment":{"all":[{"version":{"op":"~","value":"1"}}]}}}"#,
            "target.segment.all[0].version.op"
        ),
        (
            #"{"name":"n","target":{"segment":{"all":[{"country":{"in":["Germany"]}}]}}}"#,
            "target.segment.all[0].country.in"
        ),
        (#"{"name":"n","target":{"segment":{"all":[{"isApple":true}]}}}"#, "target.segment.all[0].isApple"),
        (
            #"{"name":"n","target":{"segment":{"all":[{"firstOpen":{"op":"after","value":"soon"}}]}}}"#,
            "target.segment.all[0].firstOpen.value"
        ),
        (
            #"{"name":"n","target":{"segment":{"all":[{"property":{"name":"a","op":"lessThan","value":"x"}}]}}}"#,
            "target.segment.all[0].property.value"
        ),
        (#"{"name":"n","extra":1}"#, "extra"),
    ])
    func `is refused by the name of the field`(text: String, field: String) throws {
        var reader = CampaignReader()
        _ = reader.content(try json(text))
        #expect(reader.violations.map(\.field).contains(field), "\(reader.violations)")
    }

    @Test(arguments: ["", " ", "\\n\\t \u{00A0}"]) func `white space alone is no text`(text: String) throws {
        let content = try Campaign.composed(#"{"name":"n","notification":{"title":"\#(text)","body":"\#(text)"}}"#)
        #expect(content.title == nil)
        #expect(content.body == nil)
    }

    @Test func `is refused when its rules are too many or too deep`() throws {
        var deep = #"{"country":{"in":["DE"]}}"#
        for _ in 0...Segment.maximumDepth { deep = #"{"not":\#(deep)}"# }
        let many = Array(repeating: #"{"country":{"in":["DE"]}}"#, count: 51).joined(separator: ",")
        for rules in [deep, many] {
            var reader = CampaignReader()
            _ = reader.content(try json(#"{"name":"n","target":{"segment":{"all":[\#(rules)]}}}"#))
            #expect(!reader.violations.isEmpty)
        }
    }
}

enum Rendered {
    static let project = Project(
        id: ProjectID("demo-pharos")!, number: ProjectNumber(value: 123_456_789_012), displayName: "",
        createdAt: time("2030-01-01T00:00:00Z"))

    static func preview(
        _ content: CampaignContent, audience: Occurrence.Audience = .everyone, now: String = "2030-01-01T10:00:00Z",
        local: String = "2030-01-01T10:00"
    ) -> CampaignPreview {
        CampaignRendering(validator: MessageValidator()).preview(
            content, id: CampaignID(value: 77),
            due: Occurrence(at: time(now), local: LocalDateTime(local)!, audience: audience), now: time(now),
            in: project)
    }
}
