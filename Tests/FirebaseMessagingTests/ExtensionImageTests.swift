import FirebaseCore
import FirebasePlatform
import Synchronization
import Testing

@testable import FirebaseMessaging

/// The content that an extension changes, as the system would keep it.
final class TestContent: MutableNotificationContent {
    struct Refused: Error {}

    let userInfo: [AnyHashable: Any]
    /// The attachments; the app attached one of its own before.
    private(set) var attachments = ["own"]
    var refusesFiles = false

    init(_ userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }

    func replaceAttachments(withFileAt path: String) throws {
        if refusesFiles { throw Refused() }
        attachments = [path]
    }
}

/// A service extension on a phone at a standstill: no app is configured in its process.
final class TestExtension {
    var device: InMemoryDevice
    let downloads = ScriptedDownloads()
    lazy var container = FirebaseContainer(platform: device.platform)
    /// What the system's handler got.
    private(set) var delivered: [TestContent] = []
    private(set) var arrivedOnMain = true

    init(bundleID: String = "com.example.pushdemo.service") {
        var info = FixedAppInfo(bundleID: bundleID)
        info.isExtension = true
        device = InMemoryDevice(appInfo: info)
        device.appState = ManualAppState(.absent)
        device.downloads = downloads
    }

    func answer(_ file: DownloadedFile) { downloads.answers { _, _ in .success(file) } }

    func populate(_ content: TestContent, drains: Bool = true) {
        container.run {
            Messaging.serviceExtension().populateNotificationContent(content) { [self] content in
                delivered.append(content)
                arrivedOnMain = device.executor.isCurrent
            }
        }
        if drains { device.executor.drain() }
    }

    static func message(image: Any?) -> [AnyHashable: Any] {
        var message: [AnyHashable: Any] = ["aps": ["alert": ["title": "t", "body": "b"], "mutable-content": 1]]
        if let image { message["fcm_options"] = ["image": image] }
        return message
    }

    var logCodes: [String] { device.log.record.entries.map(\.code) }
}

@Suite struct `Rule 14 - the image of a notification` {
    static let url = "https://img.example.com/p/42?w=600"
    static let jpeg = DownloadedFile(path: "/tmp/a1", status: 200, mimeType: "image/jpeg", suggestedName: "42")

    /// - Returns: The extension after everything has happened.
    func outcome(
        _ answer: Result<DownloadedFile, WebError>,
        content: TestContent = TestContent(TestExtension.message(image: url))
    ) -> TestExtension {
        let service = TestExtension()
        service.downloads.answers { _, _ in answer }
        service.populate(content)
        return service
    }

    @Test func `is attached instead of what was there, on main`() {
        let service = outcome(.success(Self.jpeg))
        #expect(service.delivered.map(\.attachments) == [["/tmp/a1.jpeg"]])
        #expect(service.arrivedOnMain)
        #expect(service.downloads.urls == [Self.url])
        #expect(service.downloads.files == ["/tmp/a1.jpeg"])
        #expect(service.logCodes.isEmpty)
    }

    struct NoImage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let image: (any Sendable)?
        var code: String?
    }

    @Test(arguments: [
        NoImage(testDescription: "missing", image: nil),
        NoImage(testDescription: "empty", image: ""),
        NoImage(testDescription: "a number", image: 5),
        NoImage(testDescription: "a list", image: ["https://img.example.com/a.jpg"]),
        NoImage(testDescription: "no URL", image: "http://", code: "I-FCM020000"),
        NoImage(testDescription: "a path", image: "/a.jpg", code: "I-FCM020000"),
        NoImage(testDescription: "a file", image: "file:///etc/passwd", code: "I-FCM020000"),
        NoImage(testDescription: "inline data", image: "data:image/png;base64,AAAA", code: "I-FCM020000"),
        NoImage(testDescription: "words", image: "not a URL", code: "I-FCM020000"),
    ])
    func `is not looked for when there is no URL, and the content goes on at once`(row: NoImage) {
        let service = TestExtension()
        service.populate(TestContent(TestExtension.message(image: row.image)), drains: false)
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.downloads.urls.isEmpty)
        #expect(service.logCodes == [row.code].compactMap { $0 })
    }

    @Test(arguments: ["x" as any Sendable, 5, ["x"], true])
    func `is not looked for when fcm_options is of another type`(options: any Sendable) {
        let service = TestExtension()
        service.populate(TestContent(["fcm_options": options]), drains: false)
        #expect(service.delivered.count == 1)
    }

    @Test(arguments: ["gcm.notification.image", "gcm.n.image", "image"])
    func `is read from fcm_options alone`(key: String) {
        let service = TestExtension()
        service.populate(TestContent([key: Self.url]))
        #expect(service.downloads.urls.isEmpty)
        #expect(service.delivered.count == 1)
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(name ?? "-") \(type ?? "-")" }
        let name: String?
        let type: String?
        let ending: String?
    }

    @Test(arguments: [
        Ending(name: "photo.png", type: nil, ending: "png"),
        Ending(name: "photo.png", type: "image/jpeg", ending: "png"),
        Ending(name: "photo", type: "image/jpeg", ending: "jpeg"),
        Ending(name: "a.b.GIF", type: "text/html", ending: "GIF"),
        Ending(name: "photo.php", type: "image/jpeg", ending: "jpeg"),
        Ending(name: "Photo.ASHX", type: "image/PNG", ending: "png"),
        Ending(name: "photo.php", type: "text/html", ending: "php"),
        Ending(name: "photo.dat", type: nil, ending: "dat"),
        Ending(name: "photo.bin", type: "image/svg+xml", ending: "bin"),
        Ending(name: nil, type: "image/gif", ending: "gif"),
        Ending(name: nil, type: "IMAGE/PNG", ending: "PNG".lowercased()),
        Ending(name: ".jpg", type: nil, ending: nil),
        Ending(name: "photo.", type: nil, ending: nil),
        Ending(name: nil, type: nil, ending: nil),
        Ending(name: nil, type: "application/octet-stream", ending: nil),
        Ending(name: nil, type: "image/", ending: nil),
        Ending(name: nil, type: "image/../../x", ending: nil),
        Ending(name: nil, type: "image/svg+xml", ending: nil),
        Ending(name: "a.x/../../etc", type: nil, ending: nil),
        Ending(name: "a.jp g", type: nil, ending: nil),
        Ending(name: "a.\u{0}jpg", type: nil, ending: nil),
        Ending(name: "a.ｊｐｇ", type: nil, ending: nil),
        Ending(name: "a." + String(repeating: "x", count: 17), type: nil, ending: nil),
    ])
    func `gets its ending from the name, else from the type, and from nothing that could leave the folder`(
        row: Ending
    ) {
        let file = DownloadedFile(path: "/tmp/a", status: 200, mimeType: row.type, suggestedName: row.name)
        #expect(NotificationImage.fileExtension(of: file) == row.ending)
        let expected = row.ending.map { "/tmp/a.\($0)" } ?? "/tmp/a"
        #expect(outcome(.success(file)).delivered.map(\.attachments) == [[expected]])
    }

    @Test(arguments: [
        WebError.notConnectedToInternet, .timedOut, .badURL, .secureConnectionFailed, .dataLengthExceedsMaximum,
    ])
    func `that cannot be downloaded is left out and logged`(error: WebError) {
        let service = outcome(.failure(error))
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.logCodes == ["I-FCM020001"])
    }

    @Test(arguments: [404, 403, 500, 302, 199])
    func `of another status is left out, and its file removed`(status: Int) {
        let service = outcome(.success(DownloadedFile(path: "/tmp/a", status: status, mimeType: "image/png")))
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.logCodes == ["I-FCM020001"])
        #expect(service.downloads.files.isEmpty)
    }

    @Test func `that cannot be moved is left out, and its file removed`() {
        let service = TestExtension()
        service.answer(Self.jpeg)
        service.downloads.failRenaming()
        service.populate(TestContent(TestExtension.message(image: Self.url)))
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.logCodes == ["I-FCM020002"])
        #expect(service.downloads.files.isEmpty)
    }

    @Test func `that the system refuses is left out, and its file removed`() {
        let content = TestContent(TestExtension.message(image: Self.url))
        content.refusesFiles = true
        let service = outcome(.success(Self.jpeg), content: content)
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.logCodes == ["I-FCM020003"])
        #expect(service.downloads.files.isEmpty)
    }

    @Test func `that does not come is given up after 25 seconds, once`() {
        let service = TestExtension()
        let clock = service.device.clock
        service.downloads.answers { _, _ in
            // A download that does not hear of its end.
            try? await clock.sleep(seconds: 24)
            try? await clock.sleep(seconds: 60)
            return .success(Self.jpeg)
        }
        service.populate(TestContent(TestExtension.message(image: Self.url)))
        service.device.clock.advance(seconds: 24.9)
        service.device.executor.drain()
        #expect(service.delivered.isEmpty)
        service.device.clock.advance(seconds: 0.1)
        service.device.executor.drain()
        #expect(service.delivered.map(\.attachments) == [["own"]])
        #expect(service.logCodes == ["I-FCM020001"])
        service.device.clock.advance(seconds: 100)
        service.device.executor.drain()
        #expect(service.delivered.count == 1)
        #expect(service.downloads.files.isEmpty)
        #expect(service.device.clock.pendingDelays.isEmpty)
    }

    @Test func `leaves no clock running when it is there`() {
        let service = outcome(.success(Self.jpeg))
        #expect(service.device.clock.pendingDelays.isEmpty)
    }

    @Test func `has its size limited before it is downloaded`() {
        let limit = Mutex(0)
        let service = TestExtension()
        service.downloads.answers { _, maximumBytes in
            limit.withLock { $0 = maximumBytes }
            return .failure(.dataLengthExceedsMaximum)
        }
        service.populate(TestContent(TestExtension.message(image: Self.url)))
        #expect(limit.withLock { $0 } == 50 << 20)
    }

    @Test func `does not exist where notifications have no attachments`() {
        let television = TestExtension()
        television.device.facts.platformName = "tvos"
        television.populate(TestContent(TestExtension.message(image: Self.url)), drains: false)
        #expect(television.delivered.count == 1)
        let bare = TestExtension()
        bare.device.downloads = nil
        bare.populate(TestContent(TestExtension.message(image: Self.url)), drains: false)
        #expect(bare.delivered.count == 1)
    }

    @Test func `without any platform the content goes on`() {
        var delivered = 0
        MessagingExtensionHelper().populateNotificationContent(TestContent(TestExtension.message(image: Self.url))) {
            _ in delivered += 1
        }
        #expect(delivered == 1)
    }

    @Test func `of each of many notifications goes its own way`() {
        let service = TestExtension()
        service.downloads.answers { url, _ in
            url.hasSuffix("bad") ? .failure(.timedOut) : .success(DownloadedFile(path: url, status: 200))
        }
        for name in ["1", "bad", "2"] {
            service.populate(
                TestContent(TestExtension.message(image: "https://img.example.com/\(name)")), drains: false)
        }
        service.device.executor.drain()
        #expect(
            service.delivered.map(\.attachments).sorted { $0[0] < $1[0] } == [
                ["https://img.example.com/1"], ["https://img.example.com/2"], ["own"],
            ])
    }

    @Test func `a space or an accent in the URL is encoded`() {
        let service = TestExtension()
        service.answer(Self.jpeg)
        service.populate(TestContent(TestExtension.message(image: "https://img.example.com/p/café 1.jpg")))
        #expect(service.downloads.urls == ["https://img.example.com/p/caf%C3%A9%201.jpg"])
    }
}
