import Firebase
import FirebasePlatform
import Testing

@testable import FirebaseMessaging

@Suite struct `Names that guides and older apps use` {
    private let names = RemainingNames.names

    @Test func `of notifications are those of today`() {
        let base = "com.firebase.messaging.notif."
        let changed = base + "connection-state-changed"
        let refreshed = base + "fcm-token-refreshed"
        #expect(
            names.notifications() == [
                changed, refreshed, changed, refreshed, refreshed, base + "installation-id-unregistered",
            ])
    }

    @Test func `find an app by its name`() throws {
        let phone = TestPhone()
        try phone.launch()
        let options = try #require(phone.container.app).options
        try phone.container.configure(name: "second", options: options)
        phone.container.run {
            #expect(names.apps(named: "second"))
            #expect(!names.apps(named: "third"))
            #expect(FirebaseContainer.current === phone.container)
        }
    }

    @Test func `of Instance ID in Swift 2 do what the later ones do`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let told = Record<String>()
        phone.container.run { names.useInstanceID(of: TestPhone.sender, told: told) }
        phone.drain()
        #expect(Set(told.entries) == ["id true", "token true", "token deleted true", "id deleted true"])
    }

    @Test func `of closures fit the calls`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let told = Record<String>()
        phone.container.run { names.useHandlers(told: told) }
        phone.drain()
        let answered: Set = ["result true", "fetched true", "topic true", "gone true"]
        #expect(answered.isSubset(of: told.entries))
    }

    @Test func `of the choice between delegates keep what the app sets`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.container.run { #expect(names.delegatePreference() == [false, true]) }
    }

    @Test func `of the extension helper are one`() {
        let helpers: [FIRMessagingExtensionHelper] = [Messaging.extensionHelper(), Messaging.serviceExtension()]
        #expect(helpers.count == 2)
        #expect(MessagingExtensionHelper.imageTimeLimitSeconds < 30)
        #expect(MessagingExtensionHelper.maximumImageBytes == 50 << 20)
    }

    @Test func `of domains and of the version are those that people search for`() {
        #expect(MessagingErrorDomain == "com.google.fcm")
        #expect(InstallationsErrorDomain == "com.firebase.installations")
        #expect(FirebaseVersion().split(separator: ".").count == 3)
    }

    @Test func `of logger levels are in order`() {
        let levels: [FirebaseLoggerLevel] = [.error, .warning, .notice, .info, .debug]
        #expect(levels.map(\.rawValue) == levels.map(\.rawValue).sorted())
        #expect(FirebaseLoggerLevel.min == .error)
        #expect(FirebaseLoggerLevel.max == .debug)
    }

    @Test func `of options that are gone stay empty`() throws {
        let container = FirebaseContainer(platform: InMemoryDevice(appInfo: FixedAppInfo(bundleID: "b")).platform)
        container.run {
            #expect(FirebaseOptions.defaultOptions() == nil)
            #expect(names.siteKey("k") == "k")
        }
    }

    @Test func `of an installation's token come with the time of its end`() throws {
        let phone = TestPhone()
        try phone.launch()
        let results = Record<InstallationsAuthTokenResult?>()
        let app = try #require(phone.container.app)
        Installations.installations(app: app).authToken { result, _ in results.append(result) }
        phone.drain()
        let result = try #require(results.entries.first ?? nil)
        #expect(result.expirationDate > phone.device.clock.now())
    }

    @Test func `of a message's status come with its info`() throws {
        let phone = TestPhone()
        try phone.launch()
        let info: MessagingMessageInfo = phone.messaging.appDidReceiveMessage(["gcm.message_id": "1"])
        #expect(info.status == .new)
    }
}
