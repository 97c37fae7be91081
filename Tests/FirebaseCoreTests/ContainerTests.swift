import FirebasePlatform
import Testing

@testable import FirebaseCore

@Suite struct `Apps in containers` {
    func device(_ file: ConfigurationFile = ConfigurationFile()) -> InMemoryDevice {
        InMemoryDevice(appInfo: FixedAppInfo(bundleID: "com.example.pushdemo", configuration: file.bytes))
    }

    @Test func `the static API works for whichever device surrounds the caller`() throws {
        let first = FirebaseContainer(platform: device().platform)
        let second = FirebaseContainer(
            platform: device(ConfigurationFile().withText("PROJECT_ID", "other")).platform)
        first.run { FirebaseApp.configure() }
        second.run { FirebaseApp.configure() }
        #expect(first.run { FirebaseApp.app()?.options.projectID } == "demo-pharos")
        #expect(second.run { FirebaseApp.app()?.options.projectID } == "other")
        #expect(first.run { FirebaseApp.app() } === first.app)
    }

    @Test func `tasks started inside a container stay in it`() async throws {
        let container = FirebaseContainer(platform: device().platform)
        let app = try container.configure()
        let found = await container.perform { await Task { FirebaseApp.app() }.value }
        #expect(found === app)
    }

    @Test func `callbacks run inside their own container`() throws {
        let device = device()
        let container = FirebaseContainer(platform: device.platform)
        let app = try container.configure()
        let found = Record<Bool>()
        app.onMain { found.append(FirebaseApp.app() === app) }
        device.executor.drain()
        #expect(found.entries == [true])
    }

    @Test func `configuring twice fails, but not with equal options in an extension`() throws {
        let container = FirebaseContainer(platform: device().platform)
        try container.configure()
        #expect(throws: FirebaseConfigurationError.self) { try container.configure() }

        var device = device()
        device.appInfo.isExtension = true
        let inExtension = FirebaseContainer(platform: device.platform)
        let first = try inExtension.configure()
        #expect(try inExtension.configure() === first)
        let other = try #require(FirebaseOptions(plist: ConfigurationFile().withText("PROJECT_ID", "x").bytes))
        #expect(throws: FirebaseConfigurationError.self) { try inExtension.configure(options: other) }
    }

    @Test(arguments: ["", "a b", "é", "a/b", "a.b"]) func `bad names are refused`(name: String) throws {
        let container = FirebaseContainer(platform: device().platform)
        let options = try #require(FirebaseOptions(plist: ConfigurationFile().bytes))
        #expect(throws: FirebaseConfigurationError.self) { try container.configure(name: name, options: options) }
    }

    @Test func `a deleted app frees its name`() async throws {
        let container = FirebaseContainer(platform: device().platform)
        let app = try container.configure()
        #expect(await app.delete())
        #expect(container.app == nil)
        #expect(await app.delete() == false)
        #expect(try container.configure() !== app)
    }

    @Test func `options given to an app are copied both ways`() throws {
        let options = FirebaseOptions(googleAppID: ConfigurationFile.appID, gcmSenderID: "1")
        options.apiKey = ConfigurationFile.apiKey
        options.projectID = "before"
        let app = try FirebaseContainer(platform: device().platform).configure(options: options)
        options.projectID = "after"
        app.options.projectID = "later"
        #expect(app.options.projectID == "before")
    }

    @Test func `the data collection flag is what was set, then Info dot plist, then true`() throws {
        var device = device()
        #expect(try FirebaseContainer(platform: device.platform).configure().isDataCollectionDefaultEnabled)
        device.appInfo.infoPlist["FirebaseDataCollectionDefaultEnabled"] = .bool(false)
        let app = try FirebaseContainer(platform: device.platform).configure()
        #expect(!app.isDataCollectionDefaultEnabled)
        app.isDataCollectionDefaultEnabled = true
        #expect(app.isDataCollectionDefaultEnabled)
        let key = "/google/firebase/global_data_collection_enabled:__FIRAPP_DEFAULT"
        #expect(device.defaults.value(key) == .bool(true))
        #expect(try FirebaseContainer(platform: device.platform).configure().isDataCollectionDefaultEnabled)
    }

    @Test func `asking for an app before it is configured is logged`() {
        let device = device()
        let container = FirebaseContainer(platform: device.platform)
        #expect(container.run { FirebaseApp.app() } == nil)
        #expect(device.log.record.entries.map(\.code) == ["I-COR000003"])
        #expect(container.run { FirebaseApp.allApps } == nil)
    }

    @Test func `lines below the chosen level are dropped`() {
        let device = device()
        let container = FirebaseContainer(platform: device.platform)
        container.log.debug("I-COR000001", "unseen")
        container.run { FirebaseConfiguration.shared.setLoggerLevel(.debug) }
        container.log.debug("I-COR000001", "seen")
        container.run { FirebaseConfiguration.shared.setLoggerLevel(.error) }
        container.log.warning("I-COR000001", "unseen")
        #expect(device.log.record.entries.map(\.message) == ["seen"])
    }

    @Test func `a device that is let go of takes its apps along`() throws {
        weak var app: FirebaseApp?
        do {
            let container = FirebaseContainer(platform: device().platform)
            app = try container.configure()
            #expect(app != nil)
        }
        #expect(app == nil)
    }
}
