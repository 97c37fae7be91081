import JSON
import PushModel
import SendAPI
import Testing

@Suite struct `Bodies that fit the schema` {
    func decode(_ body: String) throws -> SendRequest {
        try SendRequestDecoder().decode(Array(body.utf8), project: SendWorld.project.id)
    }

    /// Both bodies say the same.
    struct Pair: Sendable {
        var first: String
        var second: String
    }

    static let equals: [Row<Pair>] = [
        Row(
            "both spellings of every name",
            Pair(
                first: #"""
                    {"validate_only":true,"message":{"token":"t","fcm_options":{"analytics_label":"l"},
                    "android":{"collapse_key":"k","restricted_package_name":"p","direct_boot_ok":true,
                    "fcm_options":{"analytics_label":"m"},"notification":{"channel_id":"c","click_action":"a",
                    "title_loc_key":"x","title_loc_args":["1"],"local_only":true,"notification_count":2,
                    "light_settings":{"color":{"red":1},"light_on_duration":"1s","light_off_duration":"2s"}}},
                    "apns":{"live_activity_token":"q","fcm_options":{"analytics_label":"n","image":"i"}},
                    "webpush":{"fcm_options":{"analytics_label":"o","link":"https://e"}}}}
                    """#,
                second: #"""
                    {"validateOnly":true,"message":{"token":"t","fcmOptions":{"analyticsLabel":"l"},
                    "android":{"collapseKey":"k","restrictedPackageName":"p","directBootOk":true,
                    "fcmOptions":{"analyticsLabel":"m"},"notification":{"channelId":"c","clickAction":"a",
                    "titleLocKey":"x","titleLocArgs":["1"],"localOnly":true,"notificationCount":2,
                    "lightSettings":{"color":{"red":1},"lightOnDuration":"1s","lightOffDuration":"2s"}}},
                    "apns":{"liveActivityToken":"q","fcmOptions":{"analyticsLabel":"n","image":"i"}},
                    "webpush":{"fcmOptions":{"analyticsLabel":"o","link":"https://e"}}}}
                    """#)),
        Row(
            "null and absence",
            Pair(
                first: #"""
                    {"validate_only":null,"message":{"token":"t","topic":null,"data":null,"notification":{"title":null,
                    "body":"b"},"android":null,"apns":{"headers":null,"payload":null,"fcm_options":null},"name":null}}
                    """#,
                second: #"{"message":{"token":"t","notification":{"body":"b"},"apns":{}}}"#)),
        Row(
            "the last of repeated names",
            Pair(
                first: #"""
                    {"message":{"token":"zzz"},"message":{"token":"a","token":"t","data":{"k":"1","j":"","k":"2"},
                    "notification":{"title":"first","body":"x"},"notification":{"title":"second"}}}
                    """#,
                second: #"{"message":{"token":"t","data":{"k":"2","j":""},"notification":{"title":"second"}}}"#)),
        Row(
            "the last of both spellings",
            Pair(
                first: #"{"validateOnly":true,"validate_only":false,"message":{"token":"t"}}"#,
                second: #"{"message":{"token":"t"}}"#)),
        Row(
            "a target that null took back",
            Pair(
                first: #"{"message":{"token":"t","token":null,"topic":"x"}}"#, second: #"{"message":{"topic":"x"}}"#)),
        Row(
            "enumerations by name in any case and by number",
            Pair(
                first: #"""
                    {"message":{"token":"t","android":{"priority":"high","notification":{"visibility":"public",
                    "notification_priority":4,"proxy":"if-priority-lowered"}}}}
                    """#,
                second: #"""
                    {"message":{"token":"t","android":{"priority":1,"notification":{"visibility":"2",
                    "notification_priority":"PRIORITY_HIGH","proxy":3}}}}
                    """#)),
        Row(
            "whole numbers as numbers and texts",
            Pair(
                first: #"{"message":{"token":"t","android":{"notification":{"notification_count":"3"}}}}"#,
                second: #"{"message":{"token":"t","android":{"notification":{"notification_count":3.0}}}}"#)),
        Row(
            "durations with and without a fraction",
            Pair(
                first: #"{"message":{"token":"t","android":{"ttl":"3.500000000s"}}}"#,
                second: #"{"message":{"token":"t","android":{"ttl":"3s"}}}"#)),
        Row(
            "characters and their escapes",
            Pair(
                first: #"{"message":{"token":"t","data":{"ключ":"👩‍👩‍👧‍👦 é ü"}}}"#,
                second: #"""
                    {"message":{"token":"t","data":{"\u043a\u043b\u044e\u0447":
                    "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66 e\u0301 u\u0308"}}}
                    """#.replacing("e\\u0301", with: "é").replacing("u\\u0308", with: "ü"))),
        Row(
            "escaped names",
            Pair(
                first: #"{"m\u0065ssage":{"fcm\u005foptions":{"analytics\u004cabel":"l"},"token":"t"}}"#,
                second: #"{"message":{"token":"t","fcm_options":{"analytics_label":"l"}}}"#)),
        Row(
            "a byte order mark",
            Pair(first: "\u{FEFF}{\"message\":{\"token\":\"t\"}}", second: #"{"message":{"token":"t"}}"#)),
        Row(
            "header names in any case",
            Pair(
                first: #"{"message":{"token":"t","apns":{"headers":{"APNS-Priority":"10","apns-priority":"5"}}}}"#,
                second: #"{"message":{"token":"t","apns":{"headers":{"apns-priority":"5"}}}}"#)),
        Row(
            "an empty label and none",
            Pair(
                first: #"{"message":{"token":"t","fcm_options":{"analytics_label":""}}}"#,
                second: #"{"message":{"token":"t","fcm_options":{}}}"#)),
        Row(
            "the output name, which is ignored",
            Pair(
                first: #"{"message":{"name":"projects/p/messages/1","token":"t"}}"#,
                second: #"{"message":{"token":"t"}}"#)),
    ]

    @Test(arguments: equals) func `mean the same in each form`(row: Row<Pair>) throws {
        #expect(try decode(row.content.first) == decode(row.content.second))
    }

    @Test func `keep texts code point for code point`() throws {
        let title = "Añejo 👩‍👩‍👧‍👦 e\u{301} \"quoted\" <b>&amp;</b>"
        let body = #"{"message":{"token":"t","notification":{"title":"Añejo 👩‍👩‍👧‍👦 e\u0301 \"quoted\" <b>&amp;</b>"}}}"#
        let decoded = try decode(body).message.notification?.title
        #expect(decoded.map { Array($0.utf8) } == Array(title.utf8))
    }

    @Test func `keep the payload as it was sent, with null and the size of numbers`() throws {
        let payload = #"{"aps":{"badge":0,"sound":{"critical":1,"volume":0.8}},"big":12345678901234567890123,"n":null}"#
        let request = try decode(#"{"message":{"token":"t","apns":{"payload":\#(payload)}}}"#)
        #expect(request.message.apns?.payload.map { String(decoding: $0.encoded, as: UTF8.self) } == payload)
    }

    @Test func `keep the order of data and headers`() throws {
        let request = try decode(
            #"{"message":{"token":"t","data":{"z":"1","a":"2","m":"3"},"apns":{"headers":{"b":"1","a":"2"}}}}"#)
        #expect(request.message.data.map(\.key) == ["z", "a", "m"])
        #expect(request.message.apns?.headers.map(\.key) == ["b", "a"])
    }

    @Test func `name each kind of target`() throws {
        #expect(try decode(#"{"message":{"token":"anything"}}"#).target == .token("anything"))
        #expect(
            try decode(#"{"message":{"fid":"\#(SendWorld.fid)"}}"#).target
                == .fid(FirebaseInstallationID(SendWorld.fid)!))
        #expect(
            try decode(#"{"message":{"topic":"sport%7Cbaseball"}}"#).target == .topic(TopicName("sport%7Cbaseball")!))
        #expect(
            try decode(#"{"message":{"condition":"'a' in topics"}}"#).target
                == .condition(.member(TopicName("a")!)))
    }

    @Test func `carry every option of an Android notification in snake case`() throws {
        let request = try decode(
            #"""
            {"message":{"token":"t","android":{"notification":{"title":"t","body":"b","icon":"i","color":"#00ff00",
            "sound":"s","tag":"g","clickAction":"a","channelId":"c","image":"m","ticker":"k","bodyLocKey":"bk",
            "bodyLocArgs":["1"],"titleLocKey":"tk","titleLocArgs":[],"sticky":true,
            "eventTime":"2026-11-30T20:35:10.123456789Z","localOnly":false,"notificationPriority":"PRIORITY_MAX",
            "defaultSound":true,"defaultVibrateTimings":false,"defaultLightSettings":true,
            "vibrateTimings":["0.5s","1s"],"visibility":"SECRET","notificationCount":2,"bypassProxyNotification":true,
            "proxy":"ALLOW","lightSettings":{"color":{"red":0.1,"green":0.2,"blue":"0.3","alpha":1},
            "lightOnDuration":"1.5s","lightOffDuration":"2s"}}}}}
            """#)
        let notification = try #require(request.message.android?.notification)
        #expect(notification.count == 27)
        #expect(notification.names.allSatisfy { $0 == $0.lowercased() })
        #expect(notification["vibrate_timings"] == ["0.5s", "1s"])
        #expect(notification["light_settings"]?["color"]?["blue"] == 0.3)
        #expect(notification["event_time"] == "2026-11-30T20:35:10.123456789Z")
    }

    @Test func `take the newer Android part`() throws {
        let request = try decode(
            #"""
            {"message":{"token":"t","androidV2":{"collapseKey":"k","ttl":"5s","data":{"a":"b"},"remoteNotification":
            {"mutableContent":true,"useAsV1DataMessage":false,"notification":{"id":7,"title":"t"}}}}}
            """#)
        let android = try #require(request.message.android)
        #expect(android.collapseKey == "k")
        #expect(android.timeToLive?.seconds == 5)
        #expect(android.notification == ["title": "t", "id": 7])
        #expect(try decode(#"{"message":{"token":"t","android_v2":{"background_sync":{}}}}"#).message.android != nil)
    }
}
