import FirebaseCore
import FirebasePlatform
import ProtobufWire
import Synchronization
import Testing

@testable import FirebaseMessaging

/// What a server finds in an upload.
struct ReadUpload {
    var source: Int64 = 0
    var sentAt: Int64 = 0
    var clientType: Int64 = 0
    var bundleID = ""
    var events: [[Int: String]] = []
    var times: [Int64] = []
    var offsets: [Int64] = []
    var products: [Int64] = []

    init(_ request: WebRequest) throws {
        // A stored gzip member: 10 bytes of header, 5 of block header, 8 at the end.
        var batch = ProtobufReader(request.body.dropFirst(15).dropLast(8))
        let log = try #require(try Self.message(1, &batch))
        var reader = log
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: try read(client: try reader.readMessage())
            case 2: source = try reader.readInt64()
            case 3: try read(event: try reader.readMessage())
            case 4: sentAt = try reader.readInt64()
            default: try reader.skip()
            }
        }
    }

    private static func message(_ field: Int, _ reader: inout ProtobufReader) throws -> ProtobufReader? {
        while let tag = try reader.nextTag() {
            if tag.field == field { return try reader.readMessage() }
        }
        return nil
    }

    private mutating func read(client reader: ProtobufReader) throws {
        var reader = reader
        while let tag = try reader.nextTag() {
            if tag.field == 1 { clientType = try reader.readInt64() }
            guard tag.field == 4 else { continue }
            var device = try reader.readMessage()
            while let tag = try device.nextTag() {
                if tag.field == 11 { bundleID = try device.readString() }
            }
        }
    }

    private mutating func read(event reader: ProtobufReader) throws {
        var reader = reader
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: times.append(try reader.readInt64())
            case 6:
                var wrapper = ProtobufReader(Array(try reader.readBytes()))
                let event = try #require(try Self.message(1, &wrapper))
                events.append(try Self.fields(event))
            case 15: offsets.append(try reader.readSInt64())
            case 33:
                var compliance = try reader.readMessage()
                guard var context = try Self.message(1, &compliance), var asked = try Self.message(2, &context) else {
                    continue
                }
                while let tag = try asked.nextTag() {
                    if tag.field == 13 { products.append(try asked.readInt64()) }
                }
            default: try reader.skip()
            }
        }
    }

    private static func fields(_ reader: ProtobufReader) throws -> [Int: String] {
        var reader = reader
        var fields: [Int: String] = [:]
        while let tag = try reader.nextTag() {
            fields[tag.field] =
                tag.wireType == .varint ? String(try reader.readInt64()) : try reader.readString()
        }
        return fields
    }
}

extension TestExtension {
    static var sound: [AnyHashable: Any] {
        [
            "aps": ["alert": "hi", "mutable-content": 1], "gcm.message_id": "1700000000000001",
            "google.c.sender.id": "123456789012", "google.c.fid": "cAAAAAAAAAAAAAAAAAAAAA",
        ]
    }

    /// Answers every upload so.
    func takesUploads(_ answer: Result<WebResponse, WebError> = .success(WebResponse(status: 200))) {
        device.transport.answer { _ in answer }
    }

    func export(_ message: [AnyHashable: Any]) {
        container.run { Messaging.serviceExtension().exportDeliveryMetricsToBigQuery(withMessageInfo: message) }
        device.executor.drain()
    }

    var lastUpload: ReadUpload {
        get throws { try ReadUpload(try #require(uploads.last)) }
    }

    var uploads: [WebRequest] { device.transport.requests }
    var waiting: Int { WaitingEvents(in: device.files).events.count }

    /// The extension's process ends and starts again.
    func restart() {
        device = device.relaunched()
        container = FirebaseContainer(platform: device.platform)
    }
}

@Suite struct `Reports of deliveries` {
    @Test func `name message, sender, installation and app`() throws {
        let service = TestExtension()
        service.takesUploads()
        service.device.facts.offsetSeconds = -3600
        var message = TestExtension.sound
        for (key, value) in [
            ("google.c.a.m_l", "label"), ("google.c.a.c_id", "42"), ("google.c.a.c_l", "name"),
            ("from", "/topics/news"),
            ("google.product_id", "7"),
        ] { message[key] = value }
        service.export(message)
        let request = try #require(service.uploads.first)
        #expect(service.uploads.count == 1)
        #expect(request.url == "https://firebaselogging.googleapis.com/v0cc/log/batch")
        #expect(request.method == "POST")
        #expect(request.header("Content-Type") == "application/x-protobuf")
        #expect(request.header("Content-Encoding") == "gzip")
        #expect(request.body.starts(with: [0x1F, 0x8B]))
        let upload = try ReadUpload(request)
        #expect(upload.source == 1249)
        #expect(upload.clientType == 15)
        #expect(upload.bundleID == "com.example.pushdemo.service")
        #expect(upload.sentAt == 1_700_000_000_000)
        #expect(upload.times == [1_700_000_000_000])
        #expect(upload.offsets == [-3600])
        #expect(upload.products == [7])
        #expect(
            upload.events == [
                [
                    1: "123456789012", 2: "1700000000000001", 3: "cAAAAAAAAAAAAAAAAAAAAA", 4: "3", 5: "2",
                    6: "com.example.pushdemo", 10: "/topics/news", 12: "1", 13: "label", 14: "42", 15: "name",
                ]
            ])
        #expect(service.waiting == 0)
    }

    @Test(
        arguments: [
            ("google.c.sender.id", nil), ("google.c.sender.id", ""), ("google.c.sender.id", "x"),
            ("google.c.sender.id", [1]),
            ("google.c.sender.id", "-5"), ("gcm.message_id", nil), ("gcm.message_id", 5), ("gcm.message_id", ""),
            ("google.c.fid", nil), ("google.c.fid", 5), ("google.c.fid", ""),
        ] as [(String, (any Sendable)?)])
    func `are left out and logged when a name is missing`(key: String, value: (any Sendable)?) {
        let service = TestExtension()
        service.takesUploads()
        var message = TestExtension.sound
        message[key] = value
        service.export(message)
        #expect(service.uploads.isEmpty)
        #expect(service.waiting == 0)
        #expect(service.logCodes == ["I-FCM020010"])
    }

    @Test(
        arguments: [
            (["content-available": 1, "alert": "hi"], false, "1"), (["content-available": 1], false, "1"),
            (["alert": "hi"], false, "3"), (["content-available": 1], true, "3"),
            (["content-available": 0], false, "3"),
        ] as [([String: any Sendable], Bool, String)])
    func `call a silent message data, but never in an extension`(
        aps: [String: any Sendable], isExtension: Bool, type: String
    ) throws {
        let service = TestExtension(bundleID: "com.example.pushdemo")
        service.device.appInfo.isExtension = isExtension
        service.takesUploads()
        var message = TestExtension.sound
        message["aps"] = aps
        service.export(message)
        let event = try #require(try service.lastUpload.events.first)
        #expect(event[4] == type)
        #expect(event[6] == (isExtension ? "com.example" : "com.example.pushdemo"))
    }

    @Test(arguments: [
        Result<WebResponse, WebError>.failure(.notConnectedToInternet), .failure(.timedOut),
        .success(WebResponse(status: 404)), .success(WebResponse(status: 429)), .success(WebResponse(status: 500)),
        .success(WebResponse(status: 503)),
    ])
    func `wait on disk when the server may take them later, across processes too`(
        answer: Result<WebResponse, WebError>
    ) throws {
        let service = TestExtension()
        service.takesUploads(answer)
        service.export(TestExtension.sound)
        #expect(service.waiting == 1)
        #expect(service.uploads.count == 1)
        service.restart()
        service.takesUploads()
        service.export(TestExtension.sound)
        let upload = try service.lastUpload
        #expect(upload.events.count == 2)
        #expect(service.waiting == 0)
    }

    @Test(arguments: [400, 401, 403, 413]) func `are dropped when the server refuses them`(status: Int) {
        let service = TestExtension()
        service.takesUploads(.success(WebResponse(status: status)))
        service.export(TestExtension.sound)
        #expect(service.waiting == 0)
        #expect(service.logCodes == ["I-FCM020011"])
    }

    @Test func `are silent for as long as the server asks`() throws {
        let service = TestExtension()
        var reply = ProtobufWriter()
        reply.write(Int64(60_000), field: 1)
        service.takesUploads(.success(WebResponse(status: 200, body: reply.bytes)))
        service.export(TestExtension.sound)
        service.export(TestExtension.sound)
        #expect(service.uploads.count == 1)
        #expect(service.waiting == 1)
        service.device.clock.advance(seconds: 60)
        service.export(TestExtension.sound)
        #expect(try service.lastUpload.events.count == 2)
    }

    @Test func `are dropped after a week without a server`() throws {
        let service = TestExtension()
        service.takesUploads(.failure(.timedOut))
        service.export(TestExtension.sound)
        service.device.clock.advance(seconds: 7 * 86_400 + 1)
        service.takesUploads()
        service.export(TestExtension.sound)
        #expect(try service.lastUpload.events.count == 1)
    }

    @Test func `are at most a thousand, a hundred in an upload`() throws {
        let service = TestExtension()
        var waiting = WaitingEvents(in: service.device.files)
        for number in 0..<1005 {
            waiting.add(
                WaitingEvent(timeMilliseconds: 1_700_000_000_000, timeZoneOffsetSeconds: Int64(number), bytes: [1]))
        }
        #expect(waiting.events.count == 1000)
        #expect(waiting.events.first?.timeZoneOffsetSeconds == 5)
        try waiting.save(in: service.device.files)
        service.takesUploads()
        service.export(TestExtension.sound)
        #expect(service.uploads.count == 10)
        #expect(service.waiting == 0)
    }

    @Test(arguments: ["", "{", #"{"events":7}"#, #"{"events":[7,{"at":1},{"at":"x","event":""}],"silent_until":"x"}"#])
    func `survive a broken file`(text: String) throws {
        let service = TestExtension()
        service.takesUploads()
        try service.device.files.write(Array(text.utf8), to: WaitingEvents.path)
        service.export(TestExtension.sound)
        #expect(service.uploads.count == 1)
    }

    @Test func `go out even when the disk is full`() {
        let service = TestExtension()
        service.takesUploads()
        service.device.files.fail(with: FileStoreError(reason: "full"))
        service.export(TestExtension.sound)
        #expect(service.uploads.count == 1)
    }

    @Test func `without any platform do nothing`() {
        MessagingExtensionHelper().exportDeliveryMetricsToBigQuery(withMessageInfo: TestExtension.sound)
    }

    static let plist = """
        <plist version="1.0"><dict><key>API_KEY</key><string>\(TestPhone.apiKey)</string>
        <key>PHAROS_SERVER_URL</key><string>https://push.example.com</string></dict></plist>
        """

    @Test func `go to the server of the extension's configuration file or Info dot plist`() {
        let filed = TestExtension()
        filed.device.appInfo.configuration = Array(Self.plist.utf8)
        filed.takesUploads()
        filed.export(TestExtension.sound)
        #expect(filed.uploads.map(\.url) == ["https://push.example.com/v0cc/log/batch"])
        #expect(filed.uploads.first?.header("X-Goog-Api-Key") == TestPhone.apiKey)
        let keyed = TestExtension()
        keyed.device.appInfo.infoPlist["PHAROS_SERVER_URL"] = .string("https://push.example.com/")
        keyed.takesUploads()
        keyed.export(TestExtension.sound)
        #expect(keyed.uploads.map(\.url) == ["https://push.example.com/v0cc/log/batch"])
        #expect(keyed.uploads.first?.header("X-Goog-Api-Key") == nil)
        let wrong = TestExtension()
        wrong.device.appInfo.infoPlist["PHAROS_SERVER_URL"] = .string("ftp://x")
        wrong.takesUploads()
        wrong.export(TestExtension.sound)
        #expect(wrong.uploads.map(\.url) == ["https://firebaselogging.googleapis.com/v0cc/log/batch"])
    }

    @Test func `random replies never trap`() {
        var random = SeededRandom(seed: 9)
        for count in 0..<200 {
            _ = EventBatchReply(WebResponse(status: 200, body: random.bytes(count % 24)))
        }
        random = SeededRandom(seed: 10)
        for count in 0..<200 {
            let files = InMemoryFiles(files: [WaitingEvents.path: random.bytes(count)])
            #expect(WaitingEvents(in: files).events.isEmpty)
        }
    }
}

@Suite struct `Reports without an analytics module` {
    static func message(_ gate: Any? = "1") -> [AnyHashable: Any] {
        var message = TestExtension.sound
        message["google.c.a.e"] = gate
        return message
    }

    /// A phone with a server of its own that got one message.
    func phone(
        _ state: AppState, _ message: [AnyHashable: Any] = message(), serverURL: String? = "https://push.example.com",
        _ change: (TestPhone) -> Void = { _ in }
    ) throws -> TestPhone {
        let phone = TestPhone()
        change(phone)
        try phone.launch(serverURL: serverURL)
        phone.device.appState.move(to: state)
        phone.messaging.appDidReceiveMessage(message)
        phone.drain()
        return phone
    }

    func kinds(_ phone: TestPhone) throws -> [String?] {
        try phone.requests(.other).flatMap { try ReadUpload($0).events.map { $0[12] } }
    }

    @Test func `tell the app's own server of messages that are opened or come in the foreground`() throws {
        #expect(try kinds(try phone(.active)) == ["101"])
        #expect(try kinds(try phone(.inactive)) == ["2"])
        #expect(try kinds(try phone(.background)) == ["2"])
        #expect(try kinds(try phone(.absent)).isEmpty)
        var silent = Self.message()
        silent["aps"] = ["content-available": 1]
        #expect(try kinds(try phone(.background, silent)).isEmpty)
    }

    @Test(arguments: [nil, "0", 1, true] as [(any Sendable)?])
    func `are gated as analytics is`(gate: (any Sendable)?) throws {
        #expect(try kinds(try phone(.active, Self.message(gate))).isEmpty)
    }

    @Test func `tell Google nothing`() throws {
        #expect(try kinds(try phone(.active, serverURL: nil)).isEmpty)
    }

    @Test func `leave the events to the analytics module when there is one`() throws {
        let analytics = RecordingAnalytics()
        let phone = try phone(.active) { $0.device.analytics = analytics }
        #expect(try kinds(phone).isEmpty)
        #expect(analytics.record.entries.count == 1)
    }

    @Test func `are off when the app does not want data to be collected`() throws {
        let phone = try phone(.active) {
            $0.device.appInfo.infoPlist["FirebaseDataCollectionDefaultEnabled"] = .bool(false)
        }
        #expect(try kinds(phone).isEmpty)
    }

    @Test func `count a message once, however often it is handed over`() throws {
        let phone = try phone(.background)
        phone.messaging.appDidReceiveMessage(Self.message())
        phone.drain()
        #expect(try kinds(phone) == ["2"])
    }

    /// A phone with a server of its own, in the background.
    private func backgroundPhone(
        serverURL: String? = "https://push.example.com", _ change: (TestPhone) -> Void = { _ in }
    ) throws -> TestPhone {
        let phone = TestPhone()
        change(phone)
        try phone.launch(serverURL: serverURL)
        phone.device.appState.move(to: .background)
        return phone
    }

    private func dismiss(_ message: [AnyHashable: Any] = message(), on phone: TestPhone) {
        phone.messaging.appDidDismissMessage(message)
        phone.drain()
    }

    @Test func `tell of a notification that was put away as that, and not as opened`() throws {
        let phone = try backgroundPhone()
        dismiss(on: phone)
        // What code of older guides does with every answer of the user.
        phone.messaging.appDidReceiveMessage(Self.message())
        dismiss(on: phone)
        #expect(try kinds(phone) == ["102"])
    }

    @Test func `tell of it when the proxy hears of it too`() throws {
        let phone = try backgroundPhone()
        phone.device.incomingMessages.deliver(.dismissed(PayloadValue.entries(Self.message())))
        dismiss(on: phone)
        #expect(try kinds(phone) == ["102"])
    }

    @Test func `tell of a notification that came in the foreground and was put away later`() throws {
        let phone = try phone(.active)
        dismiss(on: phone)
        #expect(try kinds(phone) == ["101", "102"])
    }

    @Test func `tell of a notification of a local time that was put away, which has no alert any more`() throws {
        let phone = try backgroundPhone()
        var message = Self.message()
        message["aps"] = nil
        dismiss(message, on: phone)
        #expect(try kinds(phone) == ["102"])
    }

    @Test func `say nothing of a notification that was put away where they say nothing of others`() throws {
        let gated = try backgroundPhone()
        for gate in [nil, "0", 1, true] as [(any Sendable)?] { dismiss(Self.message(gate), on: gated) }
        dismiss([:], on: gated)
        var nameless = Self.message()
        nameless["google.c.fid"] = nil
        dismiss(nameless, on: gated)
        #expect(try kinds(gated).isEmpty)

        let googles = try backgroundPhone(serverURL: nil)
        dismiss(on: googles)
        #expect(try kinds(googles).isEmpty)

        let quiet = try backgroundPhone {
            $0.device.appInfo.infoPlist["FirebaseDataCollectionDefaultEnabled"] = .bool(false)
        }
        dismiss(on: quiet)
        #expect(try kinds(quiet).isEmpty)
    }

    @Test func `leave a notification that was put away to nobody when there is an analytics module`() throws {
        let analytics = RecordingAnalytics()
        let phone = try backgroundPhone { $0.device.analytics = analytics }
        dismiss(on: phone)
        phone.messaging.appDidReceiveMessage(Self.message())
        phone.drain()
        #expect(try kinds(phone).isEmpty)
        #expect(analytics.record.entries.isEmpty, "it was not opened")
    }

    @Test func `that wait go out when the app starts or comes to the foreground`() throws {
        let phone = TestPhone()
        phone.service.override { $0.kind == .other ? .failure(.notConnectedToInternet) : nil }
        try phone.launch(serverURL: "https://push.example.com")
        phone.messaging.appDidReceiveMessage(Self.message())
        phone.drain()
        #expect(phone.requests(.other).count == 1)
        phone.service.endOverrides()
        phone.device.appState.move(to: .active)
        phone.drain()
        #expect(phone.requests(.other).count == 2)
        phone.device.appState.move(to: .background)
        phone.device.appState.move(to: .active)
        phone.drain()
        #expect(phone.requests(.other).count == 2)
        let event = try MessageEvent(.opened, of: ReceivedMessage(Self.message()), appInfo: phone.device.appInfo)
        try WaitingEvents.storing(event, in: phone.device.files)
        try phone.relaunch()
        #expect(phone.requests(.other).count == 3)
    }
}

extension WaitingEvents {
    fileprivate static func storing(_ event: MessageEvent, in files: InMemoryFiles) throws {
        var waiting = WaitingEvents(in: files)
        waiting.add(
            WaitingEvent(timeMilliseconds: 1_700_000_000_000, timeZoneOffsetSeconds: 0, bytes: event.encoded))
        try waiting.save(in: files)
    }
}
