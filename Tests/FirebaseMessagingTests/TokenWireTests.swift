import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Requests of token mode, byte for byte` {
    @Test func `check-in`() throws {
        let phone = TestPhone()
        phone.device.facts.timeZoneName = "Europe/Paris"
        try phone.launch()
        phone.setAPNSToken()
        let request = try #require(phone.requests(.checkIn).first)
        #expect(request.method == "POST")
        #expect(request.url == "https://device-provisioning.googleapis.com/checkin")
        #expect(request.headers == [.init("content-type", "application/json")])
        #expect(request.timeoutSeconds == 60)
        #expect(
            request.text
                == #"{"checkin":{"iosbuild":{"model":"iPhone16,1","os_version":"IOS_18.0"},"type":2,"user_number":0,"last_checkin_msec":0},"fragment":0,"locale":"en","version":2,"digest":"","time_zone":"Europe/Paris","user_serial_number":0,"id":0,"security_token":0}"#
        )
    }

    @Test func `check-in again`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        phone.device.clock.advance(seconds: 604_800)
        _ = phone.token()
        phone.drain()
        #expect(
            phone.requests(.checkIn).last?.text
                == #"{"checkin":{"iosbuild":{"model":"iPhone16,1","os_version":"IOS_18.0"},"type":2,"user_number":0,"last_checkin_msec":1699999999000},"fragment":0,"locale":"en","version":2,"digest":"d1","time_zone":"GMT","user_serial_number":0,"id":4186988920390508657,"security_token":9007199254740993}"#
        )
    }

    @Test func `register`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let id = try phone.installationID()
        let request = try #require(phone.requests(.register).first)
        #expect(request.method == "POST")
        #expect(request.url == "https://fcmtoken.googleapis.com/register")
        #expect(request.session == .ephemeral)
        #expect(request.timeoutSeconds == 60)
        #expect(
            request.headers == [
                .init("Content-Type", "application/x-www-form-urlencoded"),
                .init("Authorization", "AidLogin 4186988920390508657:9007199254740993"),
                .init("app", "com.example.pushdemo"),
                .init("info", "v1"),
                .init("X-firebase-client", UserAgent.text(for: phone.device.platform)),
                .init("X-firebase-client-log-type", "0"),
                .init("x-goog-firebase-installations-auth", "fis-auth"),
            ])
        let expected =
            "X-osv=18.0&device=4186988920390508657&X-scope=*&plat=2&app=com.example.pushdemo&app_ver=1.2.3"
            + "&X-cliv=fiid-\(sdkVersion)&sender=123456789012&X-subtype=123456789012&appid=\(id)"
            + "&apns_token=p_\(TestPhone.hex)&gmp_app_id=1:123456789012:ios:0123456789abcdef"
        #expect(request.text == expected)
    }

    @Test func `delete`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let id = try phone.installationID()
        phone.tokens.deleteToken { _ in }
        phone.drain()
        let request = try #require(phone.requests(.delete).first)
        #expect(
            request.headers == [
                .init("Content-Type", "application/x-www-form-urlencoded"),
                .init("Authorization", "AidLogin 4186988920390508657:9007199254740993"),
                .init("app", "com.example.pushdemo"),
                .init("x-goog-firebase-installations-auth", "fis-auth"),
            ])
        let expected =
            "X-osv=18.0&device=4186988920390508657&X-scope=*&plat=2&app=com.example.pushdemo&app_ver=1.2.3"
            + "&X-cliv=fiid-\(sdkVersion)&delete=true&sender=123456789012&appid=\(id)"
        #expect(request.text == expected)
    }

    @Test func `delete of everything`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        _ = phone.token()
        phone.drain()
        let id = try phone.installationID()
        phone.messaging.deleteData { _ in }
        phone.drain()
        let expected =
            "X-osv=18.0&device=4186988920390508657&X-scope=*&plat=2&app=com.example.pushdemo&app_ver=1.2.3"
            + "&X-cliv=fiid-\(sdkVersion)&delete=true&iid-operation=delete&sender=*&appid=\(id)"
        #expect(phone.requests(.delete).first?.text == expected)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a b:c/*+é", "a b:c/*+é"), ("a&b=c%d", "a%26b%3Dc%25d"), ("a\r\nb", "a%0D%0Ab"),
    ])
    func `values travel as they are, but cannot break the form`(value: String, sent: String) {
        var form = RegisterForm()
        form.add("n", value)
        #expect(String(decoding: form.encoded, as: UTF8.self) == "n=\(sent)")
    }

    @Test func `a WatchKit extension registers under the app's bundle id`() throws {
        let phone = TestPhone()
        phone.device.appInfo.bundleID = "com.example.pushdemo.watchkitextension"
        phone.device.appInfo.isExtension = true
        phone.device.appInfo.isWatchExtension = true
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).first?.text.field("app") == "com.example.pushdemo")
    }

    @Test func `with PHAROS_SERVER_URL every request goes there`() throws {
        let phone = TestPhone()
        let service = phone.service
        phone.device.transport.answer { await service.answer($0) }
        let container = FirebaseContainer(platform: phone.device.platform)
        let options = FirebaseOptions(googleAppID: TestPhone.appID, gcmSenderID: TestPhone.sender)
        options.apiKey = TestPhone.apiKey
        options.serverURL = "http://127.0.0.1:9599"
        try container.configure(options: options)
        container.messaging?.apnsToken = TestPhone.deviceToken
        phone.drain()
        let urls = phone.device.transport.requests.map(\.url)
        #expect(
            Set(urls) == [
                "http://127.0.0.1:9599/checkin", "http://127.0.0.1:9599/register",
                "http://127.0.0.1:9599/v1/projects/123456789012/installations/",
            ])
    }
}

@Suite struct `Rule 15 - the register reply` {
    @Test(
        arguments: [
            ("token=abc:APA91b-_", .token("abc:APA91b-_")), ("token=abc\n", .token("abc")),
            ("token=abc\nGOOG.ttl=60", .token("abc")), ("token=abc\r\nGOOG.ttl=60\r\n", .token("abc")),
            ("GOOG.ttl=60\ntoken=abc", .token("abc")), ("token=abc=def", .token("abc")),
            ("token=", .unusable), ("token", .unusable), ("nothing here", .unusable), ("=x", .unusable),
            ("\n\n", .unusable),
            ("<html>Error</html>", .unusable), ("", .empty),
            ("Error=PHONE_REGISTRATION_ERROR", .notYet("PHONE_REGISTRATION_ERROR")),
            ("Error=PHONE_REGISTRATION_ERROR:more\r\n", .notYet("PHONE_REGISTRATION_ERROR:more")),
            ("Error=a:PHONE_REGISTRATION_ERROR", .notYet("a:PHONE_REGISTRATION_ERROR")),
            ("Error=RST", .identityReset("RST")), ("Error=x: RST ", .identityReset("x: RST ")),
            ("Error=FIRST", .refused("FIRST")), ("Error=INVALID_SENDER", .refused("INVALID_SENDER")),
            ("Error=", .refused("")), ("Error=a=b", .refused("a")), ("token=t\nError=E", .token("t")),
            ("token=\nError=E", .refused("E")),
        ] as [(String, RegisterReply)])
    func `is read line by line`(body: String, expected: RegisterReply) {
        #expect(RegisterReply(parsing: Array(body.utf8)) == expected)
    }

    @Test(arguments: [
        ("deleted=app", true), ("token=", true), ("token=x", true), ("Error=x", false), ("", false),
        ("xdeleted=", false),
        ("deleted", false),
    ])
    func `of a delete begins with deleted or token`(body: String, isDone: Bool) {
        #expect(RegisterReply.saysDeleted(Array(body.utf8)) == isDone)
    }

    @Test func `never traps on random bytes`() {
        let words = ["token", "=", "\n", "\r\n", "Error", ":", "RST", "x", "\u{0}"]
        for seed in 0..<3000 {
            let random = SeededRandom(seed: UInt64(seed))
            let text = random.bytes(seed % 12).map { words[Int($0) % words.count] }.joined()
            _ = RegisterReply(parsing: Array(text.utf8))
            _ = RegisterReply(parsing: random.bytes(seed % 80))
            _ = try? CheckInWire.checkIn(reply: random.bytes(seed % 80), nowMilliseconds: 0)
            _ = TokenRecord(stored: random.bytes(seed % 80))
        }
    }
}

@Suite struct `The check-in reply` {
    @Test func `64-bit ids keep every digit`() throws {
        let body = #"{"android_id":18446744073709551615,"security_token":9007199254740993,"time_msec":5}"#
        let checkIn = try CheckInWire.checkIn(reply: Array(body.utf8), nowMilliseconds: 10)
        #expect(checkIn.credentials.authorization == "AidLogin 18446744073709551615:9007199254740993")
        #expect(checkIn.lastCheckInMilliseconds == 5)
    }

    @Test func `a time in the future counts as now`() throws {
        let body = #"{"android_id":1,"security_token":2,"time_msec":99}"#
        #expect(try CheckInWire.checkIn(reply: Array(body.utf8), nowMilliseconds: 10).lastCheckInMilliseconds == 10)
    }

    @Test func `ids as text and as signed numbers are taken`() throws {
        let body = #"{"android_id":"4186988920390508657","security_token":-1}"#
        let credentials = try CheckInWire.checkIn(reply: Array(body.utf8), nowMilliseconds: 0).credentials
        #expect(credentials == CheckInCredentials(deviceID: 4_186_988_920_390_508_657, secret: .max))
    }

    @Test func `settings that are malformed are passed over`() throws {
        let body =
            #"{"android_id":1,"security_token":2,"setting":[{"name":"a","value":"b"},{"name":"c"},7,{"name":1,"value":"x"}]}"#
        #expect(try CheckInWire.checkIn(reply: Array(body.utf8), nowMilliseconds: 0).settings == ["a": "b"])
    }

    @Test(arguments: [
        "", "x", "{}", "[]", #"{"android_id":0,"security_token":1}"#, #"{"android_id":1}"#,
        #"{"android_id":1,"security_token":0}"#, #"{"android_id":1.5,"security_token":2}"#,
        #"{"android_id":99999999999999999999,"security_token":2}"#, #"{"android_id":null,"security_token":2}"#,
    ])
    func `a reply without a device is error 7`(body: String) {
        let error = #expect(throws: MessagingError.self) {
            try CheckInWire.checkIn(reply: Array(body.utf8), nowMilliseconds: 0)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: ["", "1", "1|", "|1", "1|2|3", "0|1", "a|b", "-1|2", "18446744073709551616|1"])
    func `malformed stored credentials are none`(text: String) {
        #expect(CheckInCredentials(stored: text) == nil)
    }

    @Test func `it is stored so that the secret is not in the file`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let file = try #require(phone.device.files.files[CheckInStore.path])
        let plist = try #require(PlistValue.dictionary(parsing: file))
        #expect(plist["GMSInstanceIDDigestKey"] == .string("d1"))
        #expect(plist["GMSInstanceIDLastCheckinTimestampKey"] == .integer(1_699_999_999_000))
        #expect(!String(decoding: file, as: UTF8.self).contains("9007199254740993"))
        let store = CheckInStore(platform: phone.device.platform, account: TestPhone.bundleID)
        guard case .present(let checkIn) = try store.load() else {
            Issue.record("no check-in")
            return
        }
        #expect(checkIn.settings == ["n": "v"])
        #expect(checkIn.credentials.secret == 9_007_199_254_740_993)
    }
}
