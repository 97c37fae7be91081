import EventLoop
import FirebasePlatform
import HTTPClient
import HTTPSemantics
import HTTPServer
import JSON
import Synchronization
import Testing
import Timekeeping
import Transport

@testable import DeviceSimulator

/// What the image host of the cases answers, by path and query.
enum ImageHost {
    static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 2044)
    static let gif = Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 100)
    static let webP = Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8)

    /// `nil`: no answer ever.
    static func answer(_ target: String) -> HTTPResponse? {
        switch target {
        case "/p/42", "/p/42?w=600", "/p/caf%C3%A9%201.jpg": image("image/jpeg", jpeg)
        case "/hop?to=/p/42": HTTPResponse(status: 302, fields: HTTPFields([("location", "/p/42")]))
        case "/loop": HTTPResponse(status: 302, fields: HTTPFields([("location", "/loop")]))
        case "/away": HTTPResponse(status: 302, fields: HTTPFields([("location", "http://img.example.com/p/42")]))
        case "/a.gif": image("image/gif", gif)
        case "/a.webp": image("image/webp", webP)
        case "/not-image.jpg": image("text/html", Array("<p>login</p>".utf8))
        case "/big.jpg": image("image/jpeg", jpeg + [UInt8](repeating: 0, count: 10 << 20))
        case "/huge.jpg": image("image/jpeg", jpeg + [UInt8](repeating: 0, count: 60 << 20))
        case "/slow.jpg": nil
        case "/o/IMG_0006.HEIC": image("image/heic", [0, 0, 0, 24] + Array("ftypheic".utf8))
        default: HTTPResponse(status: 404, contentType: "text/html", text: "<p>not found</p>")
        }
    }

    private static func image(_ type: String, _ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, fields: HTTPFields([("content-type", type)]), body: bytes)
    }
}

/// The internet as the phone sees it: the image host under its name, and nothing else.
private final class ImageInternet: WebTransport {
    let uploads = Mutex(0)
    /// Requests that wait for ever.
    let stuck = Mutex(0)

    func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
        if request.url.hasSuffix("/v0cc/log/batch") {
            uploads.withLock { $0 += 1 }
            return WebResponse(status: 200)
        }
        guard let url = HTTPURL(request.url), url.host == "img.example.com" else { throw .cannotConnectToHost }
        guard let answer = ImageHost.answer(url.target) else {
            stuck.withLock { $0 += 1 }
            while true {
                guard (try? await Task.sleep(for: .seconds(3600))) != nil else { throw .cancelled }
            }
        }
        return WebResponse(
            status: answer.status, headers: answer.fields.lines.map { WebRequest.Header($0.name, $0.value) },
            body: answer.body)
    }
}

/// A phone in the background whose app brings a service extension, and what it showed.
private final class ExtensionWorld: Sendable {
    let clock = VirtualClock()
    let internet = ImageInternet()
    let link = PushLine()
    let phone: VirtualIPhone
    let loops: EventLoopGroup
    private let stream: AsyncStream<DeviceEvent>

    init(
        transport: (any WebTransport)? = nil, loops: EventLoopGroup? = nil, reachesInternet: Bool = true,
        _ change: (inout AppPackage) -> Void = { _ in }
    ) async throws {
        let loops = try loops ?? EventLoopGroup(count: 1)
        self.loops = loops
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self)
        self.stream = stream
        var package = AppPackage(
            bundleID: PushLine.bundleID, mode: .classic, configurationPlist: Array(PushLine.plist.utf8))
        change(&package)
        phone = VirtualIPhone(
            name: "test", package: package, link: link, transport: transport ?? internet,
            reachesInternet: reachesInternet, clock: clock, loop: loops.next(), events: { continuation.yield($0) })
        try await phone.launch(foreground: false)
    }

    func event(_ kind: DeviceEvent.Kind) async -> DeviceEvent? {
        for await event in stream where event.kind == kind { return event }
        return nil
    }

    /// Sends a push and waits until it is shown.
    func shown(_ payload: JSONObject) async -> ShownNotification? {
        link.push(JSONValue.object(payload).encoded)
        _ = await event(.shown)
        return phone.shownNotifications.last
    }

    func shown(image: String) async -> ShownNotification? { await shown(Self.payload(image: .string(image))) }

    static func payload(image: JSONValue?, mutable: Bool = true) -> JSONObject {
        var aps: JSONObject = ["alert": ["title": "t", "body": "b"]]
        if mutable { aps["mutable-content"] = 1 }
        var payload: JSONObject = ["aps": .object(aps), "gcm.message_id": "1"]
        if let image { payload["fcm_options"] = ["image": image] }
        return payload
    }

    func end() async {
        await phone.close()
        loops.shutDown()
    }
}

/// A line to an APNs that pushes what the test says.
private final class PushLine: APNsLink {
    static let bundleID = "com.example.app"
    static let plist = """
        <plist version="1.0"><dict><key>GOOGLE_APP_ID</key><string>1:123456789012:ios:abcdef</string>
        <key>GCM_SENDER_ID</key><string>123456789012</string>
        <key>API_KEY</key><string>AIza00000000000000000000000000000000000</string>
        <key>PROJECT_ID</key><string>demo-phone</string>
        <key>PHAROS_SERVER_URL</key><string>http://127.0.0.1:9</string></dict></plist>
        """
    private let handler = Mutex<(@Sendable (ArrivingPush) -> Void)?>(nil)

    func register(bundleID: String, sandbox: Bool) async throws -> [UInt8] { Array(repeating: 0xab, count: 32) }
    func uninstall(bundleID: String) async {}
    func setOnline(_ isOnline: Bool) async {}
    func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void) { self.handler.withLock { $0 = handler } }
    func close() async {}

    func push(_ payload: [UInt8], id: String = "id-1") {
        handler.withLock { $0 }?(
            ArrivingPush(
                bundleID: Self.bundleID, pushType: "alert", collapseID: nil, apnsID: id, payload: payload,
                deliveredAt: Timestamp(seconds: 0)))
    }
}

@Suite struct `Service extension of a virtual iPhone` {
    private func shown(image: String) async throws -> (shown: ShownNotification?, log: [String]) {
        let world = try await ExtensionWorld()
        let shown = await world.shown(image: "https://img.example.com" + image)
        let log = world.phone.logLines
        await world.end()
        return (shown, log)
    }

    @Test func `IMG-01 a URL without an extension and with a query gets the ending of its type`() async throws {
        let shown = try await shown(image: "/p/42?w=600").shown
        #expect(shown?.title == "t" && shown?.body == "b")
        #expect(shown?.attachments.map(\.type) == ["jpeg"])
        #expect(shown?.attachments.map(\.byteCount) == [2048])
    }

    @Test func `IMG-03 an animated GIF is attached as GIF`() async throws {
        #expect(try await shown(image: "/a.gif").shown?.attachments.map(\.type) == ["gif"])
    }

    @Test func `IMG-04 plain HTTP is refused by the system, and the text is shown`() async throws {
        let world = try await ExtensionWorld()
        let shown = await world.shown(image: "http://img.example.com/p/42")
        #expect(shown?.title == "t")
        #expect(shown?.attachments.isEmpty == true)
        #expect(world.phone.logLines.contains { $0.contains("I-FCM020001") && $0.contains("-1022") })
        await world.end()
        let allowing = try await ExtensionWorld { $0.infoValues["NSAllowsArbitraryLoads"] = .bool(true) }
        #expect(await allowing.shown(image: "http://img.example.com/p/42")?.attachments.count == 1)
        await allowing.end()
    }

    @Test(arguments: ["/a.webp", "/not-image.jpg", "/404.jpg", "/o/IMG_0006.HEIC", "/big.jpg"])
    func `IMG-06 what the system takes for no image is left out, logged, and the text is shown`(
        path: String
    ) async throws {
        let (shown, log) = try await shown(image: path)
        #expect(shown?.title == "t" && shown?.body == "b")
        #expect(shown?.attachments.isEmpty == true)
        #expect(log.contains { $0.hasPrefix("I-FCM02000") })
    }

    @Test func `IMG-07 a huge image is left out`() async throws {
        let (shown, log) = try await shown(image: "/huge.jpg")
        #expect(shown?.body == "b")
        #expect(shown?.attachments.isEmpty == true)
        #expect(log.contains { $0.hasPrefix("I-FCM020001") })
    }

    @Test func `IMG-07 an image that never comes costs its time, and the text is shown within it`() async throws {
        let world = try await ExtensionWorld()
        world.link.push(
            JSONValue.object(ExtensionWorld.payload(image: "https://img.example.com/slow.jpg")).encoded)
        // A second one is shown meanwhile.
        world.link.push(JSONValue.object(ExtensionWorld.payload(image: nil)).encoded, id: "id-2")
        _ = await world.event(.shown)
        #expect(world.phone.shownNotifications.map(\.identifier) == ["id-2"])
        while world.internet.stuck.withLock({ $0 }) == 0 { await Task.yield() }
        await world.phone.onMain {}
        world.clock.advance(seconds: 29)
        _ = await world.event(.shown)
        #expect(world.phone.shownNotifications.map(\.identifier) == ["id-2", "id-1"])
        await world.end()
    }

    @Test(arguments: [nil, "x", ["image": 5], ["image": ""], ["image": [:]], 7] as [JSONValue?])
    func `IMG-08 without options of the right type the content passes unchanged`(options: JSONValue?) async throws {
        let world = try await ExtensionWorld()
        var payload = ExtensionWorld.payload(image: nil)
        if let options { payload["fcm_options"] = options }
        let shown = await world.shown(payload)
        #expect(shown?.title == "t" && shown?.attachments.isEmpty == true)
        #expect(!world.phone.logLines.contains { $0.hasPrefix("I-FCM02") })
        await world.end()
    }

    @Test func `follows redirections, but not for ever and not to plain HTTP`() async throws {
        #expect(try await shown(image: "/hop?to=/p/42").shown?.attachments.count == 1)
        #expect(try await shown(image: "/loop").shown?.attachments.isEmpty == true)
        #expect(try await shown(image: "/away").shown?.attachments.isEmpty == true)
    }

    @Test func `is not asked about a push that does not let it, nor in an app without one`() async throws {
        let world = try await ExtensionWorld()
        let image = JSONValue.string("https://img.example.com/p/42")
        #expect(await world.shown(ExtensionWorld.payload(image: image, mutable: false))?.attachments.isEmpty == true)
        await world.end()
        let plain = try await ExtensionWorld { $0.hasServiceExtension = false }
        #expect(await plain.shown(ExtensionWorld.payload(image: image))?.attachments.isEmpty == true)
        await plain.end()
    }

    @Test func `works when the user ended the app, and in the foreground`() async throws {
        let world = try await ExtensionWorld()
        await world.phone.terminate(byUser: true)
        #expect(await world.shown(image: "https://img.example.com/a.gif")?.attachments.count == 1)
        try await world.phone.launch(foreground: true)
        world.link.push(
            JSONValue.object(ExtensionWorld.payload(image: "https://img.example.com/a.gif")).encoded)
        let event = await world.event(.willPresent)
        #expect(event?.details["attachments"]?.array?.first?["type"] == "gif")
        await world.end()
    }

    @Test func `stays on this machine unless the phone may leave it`() async throws {
        let world = try await ExtensionWorld(reachesInternet: false)
        #expect(await world.shown(image: "https://img.example.com/p/42")?.attachments.isEmpty == true)
        await world.end()
    }

    @Test func `downloads over real HTTP`() async throws {
        let loops = try EventLoopGroup(count: 1)
        let server = HTTPServer(loops: loops.loops, handler: ImageDoor())
        let listener = try server.listen(ListenerOptions())
        let world = try await ExtensionWorld(
            transport: HTTPTransport(client: try HTTPClient(loop: loops.next())), loops: loops,
            reachesInternet: false)
        let base = "http://127.0.0.1:\(listener.port)"
        #expect(await world.shown(image: base + "/hop?to=/p/42")?.attachments.map(\.type) == ["jpeg"])
        #expect(await world.shown(image: base + "/404.jpg")?.attachments.isEmpty == true)
        await world.phone.close()
        await server.drain(deadline: .seconds(5))
        loops.shutDown()
    }

    @Test func `reports deliveries when the app wants that, silent ones too`() async throws {
        let world = try await ExtensionWorld { $0.reportsDeliveries = true }
        var payload = ExtensionWorld.payload(image: nil)
        payload["google.c.sender.id"] = "123456789012"
        payload["google.c.fid"] = "cAAAAAAAAAAAAAAAAAAAAA"
        _ = await world.shown(payload)
        payload["aps"] = ["content-available": 1]
        world.link.push(JSONValue.object(payload).encoded)
        _ = await world.event(.didReceiveRemoteNotification)
        while world.internet.uploads.withLock({ $0 }) < 2 { await Task.yield() }
        await world.end()
    }
}

private struct ImageDoor: HTTPHandler {
    func bodyLimitBytes(for head: HTTPRequestHead) -> Int { 0 }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        ImageHost.answer(request.head.target) ?? HTTPResponse(status: 503)
    }
}

@Suite struct `Attachment of a notification` {
    @Test(
        arguments: [
            ("/a.jpg", ImageHost.jpeg, "jpeg"), ("/a.JPEG", ImageHost.jpeg, "jpeg"), ("/a.gif", ImageHost.gif, "gif"),
            ("/a.png", [0x89, 0x50, 0x4E, 0x47, 1], "png"),
        ] as [(String, [UInt8], String)])
    func `is what its ending says`(path: String, bytes: [UInt8], type: String) throws {
        #expect(try NotificationAttachment(path: path, bytes: bytes).type == type)
    }

    @Test(
        arguments: [
            ("/a", ImageHost.jpeg, .unrecognizedType), ("/a.webp", ImageHost.webP, .unrecognizedType),
            ("/b.jpg/a", ImageHost.jpeg, .unrecognizedType), ("/a.png", ImageHost.jpeg, .broken),
            ("/a.jpg", [], .broken),
        ] as [(String, [UInt8], NotificationAttachment.Failure)])
    func `is refused when it is not`(path: String, bytes: [UInt8], failure: NotificationAttachment.Failure) {
        #expect(throws: failure) { try NotificationAttachment(path: path, bytes: bytes) }
    }
}
