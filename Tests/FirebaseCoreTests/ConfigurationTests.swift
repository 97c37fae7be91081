import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseCore

@Suite struct `Configuration from a file` {
    func container(_ file: ConfigurationFile?) -> (FirebaseContainer, RecordingLog) {
        let device = InMemoryDevice(
            appInfo: FixedAppInfo(bundleID: "com.example.pushdemo", configuration: file?.bytes))
        return (FirebaseContainer(platform: device.platform), device.log)
    }

    func failure(_ file: ConfigurationFile?) -> FirebaseConfigurationError? {
        #expect(throws: FirebaseConfigurationError.self) { try container(file).0.configure() }
    }

    @Test func `every option of the file is there`() throws {
        let file = ConfigurationFile().withText("CLIENT_ID", "c").withText("DATABASE_URL", "https://d")
        let options = try container(file).0.configure().options
        #expect(options.apiKey == ConfigurationFile.apiKey)
        #expect(options.bundleID == "com.example.pushdemo")
        #expect(options.clientID == "c")
        #expect(options.gcmSenderID == "123456789012")
        #expect(options.projectID == "demo-pharos")
        #expect(options.googleAppID == ConfigurationFile.appID)
        #expect(options.databaseURL == "https://d")
        #expect(options.storageBucket == "demo-pharos.appspot.com")
        #expect(options.appGroupID == nil)
    }

    @Test func `a binary property list works like an XML one`() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let data = try encoder.encode([
            "GOOGLE_APP_ID": ConfigurationFile.appID, "API_KEY": ConfigurationFile.apiKey, "GCM_SENDER_ID": "1",
        ])
        #expect(FirebaseOptions(plist: Array(data))?.googleAppID == ConfigurationFile.appID)
    }

    @Test func `PLI-02 IS_GCM_ENABLED as text YES changes nothing`() throws {
        let app = try container(ConfigurationFile().withText("IS_GCM_ENABLED", "YES")).0.configure()
        #expect(app.options.gcmSenderID == "123456789012")
        try container(ConfigurationFile().without("IS_GCM_ENABLED")).0.configure()
    }

    @Test func `PLI-03 a missing GOOGLE_APP_ID fails at once and is named`() {
        let error = failure(ConfigurationFile().without("GOOGLE_APP_ID"))
        #expect(error?.message.contains("GOOGLE_APP_ID") == true)
        #expect(FirebaseConfigurationError.errorDomain == "com.firebase.core")
    }

    @Test func `PLI-04 the id of an Android app fails at once and is named`() {
        let error = failure(
            ConfigurationFile().withText("GOOGLE_APP_ID", "1:123456789012:android:0123456789abcdef"))
        #expect(error?.message.contains("GOOGLE_APP_ID") == true)
    }

    @Test func `PLI-05 without PROJECT_ID the sender id stands in paths`() throws {
        let app = try container(ConfigurationFile().without("PROJECT_ID")).0.configure()
        #expect(app.optionsValues.projectPathSegment == "123456789012")
        let neither = try container(ConfigurationFile().without("PROJECT_ID").without("GCM_SENDER_ID")).0.configure()
        #expect(neither.optionsValues.projectPathSegment == nil)
    }

    @Test func `PLI-07 an API key of another shape is an error that names it`() {
        let error = failure(ConfigurationFile().withText("API_KEY", "0123456789abcdef0123456789abcdef"))
        #expect(error?.message.contains("API_KEY") == true)
        #expect(failure(ConfigurationFile().without("API_KEY"))?.message.contains("API_KEY") == true)
    }

    @Test func `PLI-09 a second file for a second project works beside the first`() throws {
        let (container, _) = container(ConfigurationFile())
        let first = try container.configure()
        let second = ConfigurationFile().withText("GCM_SENDER_ID", "210987654321").withText("PROJECT_ID", "demo-two")
            .withText("GOOGLE_APP_ID", "1:210987654321:ios:fedcba9876543210")
        let options = try #require(FirebaseOptions(plist: second.bytes))
        let app = try container.configure(name: "two", options: options)
        #expect(app.options.gcmSenderID == "210987654321")
        #expect(container.app === first)
        #expect(container.app(name: "two") === app)
        #expect(Set(container.allApps.keys) == ["__FIRAPP_DEFAULT", "two"])
    }

    @Test func `a missing file and a file that is no plist fail`() {
        #expect(failure(nil)?.reason == .missingFile)
        #expect(FirebaseOptions(plist: Array("no plist".utf8)) == nil)
        #expect(FirebaseOptions(plist: []) == nil)
        #expect(FirebaseOptions(plist: Array("<plist><array/></plist>".utf8)) == nil)
        #expect(FirebaseOptions(contentsOfFile: "/nonexistent/GoogleService-Info.plist") == nil)
    }

    @Test func `a file on disk is read`() throws {
        let path = NSTemporaryDirectory() + "pharos-\(UInt64.random(in: 0 ... .max)).plist"
        try Data(ConfigurationFile().bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FirebaseOptions(contentsOfFile: path)?.projectID == "demo-pharos")
    }

    @Test func `the static configure logs the key instead of trapping`() {
        let (container, log) = container(ConfigurationFile().without("GOOGLE_APP_ID"))
        container.run { FirebaseApp.configure() }
        #expect(container.app == nil)
        #expect(log.record.entries.contains { $0.level == .error && $0.message.contains("GOOGLE_APP_ID") })
        #expect(container.configurationFailure?.reason == .missingValue(key: "GOOGLE_APP_ID"))
    }

    @Test func `another bundle id is only logged`() throws {
        let (container, log) = container(ConfigurationFile().withText("BUNDLE_ID", "com.example.other"))
        try container.configure()
        #expect(log.record.entries.map(\.code).contains("I-COR000008"))
    }

    @Test(
        arguments: [
            ("1:123:ios:abc", true), ("2:123:ios:ABCDEF", true), ("1:123:ios:", false), ("1::ios:abc", false),
            (":123:ios:abc", false), ("1:123:android:abc", false), ("1:123:web:abc", false), ("1:123:ios:xyz", false),
            ("1:12a:ios:abc", false), ("1:123:ios:abc:d", false), ("1:123:ios:abc ", false), ("", false),
            ("ios", false),
        ] as [(String, Bool)])
    func `app ids are 1, number, ios, hex`(text: String, isValid: Bool) {
        #expect((AppID(text) != nil) == isValid)
    }

    @Test(
        arguments: [
            (ConfigurationFile.apiKey, true), ("A" + String(repeating: "-", count: 38), true),
            ("A" + String(repeating: "_", count: 38), true), ("A" + String(repeating: "a", count: 37), false),
            ("A" + String(repeating: "a", count: 39), false), ("B" + String(repeating: "a", count: 38), false),
            ("A" + String(repeating: "+", count: 38), false), ("A" + String(repeating: "é", count: 19), false),
            ("", false),
        ] as [(String, Bool)])
    func `API keys are an A and 38 characters`(text: String, isValid: Bool) {
        #expect(OptionsCheck.isAPIKey(text) == isValid)
    }
}

@Suite struct `Where requests go` {
    @Test func `without a server URL requests go to Google's hosts`() throws {
        let endpoints = try Endpoints(serverURL: nil, directChannel: nil)
        #expect(endpoints == .google)
        #expect(endpoints.checkIn == "https://device-provisioning.googleapis.com/checkin")
        #expect(endpoints.register == "https://fcmtoken.googleapis.com/register")
        #expect(endpoints.topics == "https://iid.googleapis.com/iid/register")
        #expect(endpoints.directChannel == HostAndPort(host: "mtalk.google.com", port: 5228))
    }

    @Test func `with PHAROS_SERVER_URL they all go to that server`() throws {
        let endpoints = try Endpoints(serverURL: "http://127.0.0.1:9599/", directChannel: "127.0.0.1:5228")
        #expect(endpoints.installations == "http://127.0.0.1:9599")
        #expect(endpoints.checkIn == "http://127.0.0.1:9599/checkin")
        #expect(endpoints.register == "http://127.0.0.1:9599/register")
        #expect(endpoints.registrations == "http://127.0.0.1:9599")
        #expect(endpoints.topics == "http://127.0.0.1:9599/iid/register")
        #expect(endpoints.eventLog == "http://127.0.0.1:9599/v0cc/log/batch")
        #expect(endpoints.directChannel == HostAndPort(host: "127.0.0.1", port: 5228))
    }

    @Test(arguments: [
        "https://push.example.com", "http://localhost:1", "http://[::1]:9599", "https://example.com/base/path",
    ])
    func `http and https URLs are taken`(url: String) throws {
        #expect(try Endpoints(serverURL: url, directChannel: nil).registrations == url)
    }

    @Test(arguments: [
        "", "push.example.com", "ftp://example.com", "http://", "https:///path", "http://:80", "http://host:0",
        "http://host:65536", "http://host:port", "http://a b", "http://host/?q=1", "http://host/#f",
        "http://user@host", "http://[::1", "http://ho\nst",
    ])
    func `anything else is refused and named`(url: String) {
        let error = #expect(throws: FirebaseConfigurationError.self) {
            try Endpoints(serverURL: url, directChannel: nil)
        }
        #expect(error?.message.contains("PHAROS_SERVER_URL") == true)
    }

    @Test(
        arguments: [
            ("host:5228", "host", 5228), ("[::1]:1", "::1", 1), ("h:65535", "h", 65535), ("host", nil, 0),
            (":1", nil, 0),
            ("host:0", nil, 0), ("host:65536", nil, 0), ("host:", nil, 0), ("ho st:1", nil, 0), ("a/b:1", nil, 0),
        ] as [(String, String?, Int)])
    func `addresses are host and port`(text: String, host: String?, port: Int) {
        let address = HostAndPort(text)
        #expect(address?.host == host)
        #expect(Int(address?.port ?? 0) == port)
    }
}
