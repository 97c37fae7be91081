import EventLoop
import FirebasePlatform
import JSON
import Synchronization
import Testing
import Timekeeping

@testable import DeviceSimulator

/// A line to an APNs that does what the test says.
private final class ScriptedLink: APNsLink {
    private let handler = Mutex<(@Sendable (ArrivingPush) -> Void)?>(nil)

    func register(bundleID: String, sandbox: Bool) async throws -> [UInt8] { Array(repeating: 0xab, count: 32) }
    func uninstall(bundleID: String) async {}
    func setOnline(_ isOnline: Bool) async {}
    func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void) { self.handler.withLock { $0 = handler } }
    func close() async {}

    func push(_ payload: String, collapseID: String? = nil, id: String = "id-1") {
        handler.withLock { $0 }?(
            ArrivingPush(
                bundleID: PhoneWorld.bundleID, pushType: "alert", collapseID: collapseID, apnsID: id,
                payload: Array(payload.utf8), deliveredAt: Timestamp(seconds: 0)))
    }
}

/// A service that never answers: what happens on the phone does not depend on it.
private struct NoService: WebTransport {
    func send(_ request: WebRequest) async throws(WebError) -> WebResponse { throw .cannotConnectToHost }
}

/// A phone, its line and the events that it told.
private final class PhoneWorld: Sendable {
    static let bundleID = "com.example.app"
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>GOOGLE_APP_ID</key><string>1:123456789012:ios:abcdef</string>
        <key>GCM_SENDER_ID</key><string>123456789012</string>
        <key>API_KEY</key><string>AIza00000000000000000000000000000000000</string>
        <key>PROJECT_ID</key><string>demo-phone</string>
        <key>BUNDLE_ID</key><string>com.example.app</string>
        <key>PHAROS_SERVER_URL</key><string>http://127.0.0.1:9</string>
        </dict></plist>
        """

    let link = ScriptedLink()
    let phone: VirtualIPhone
    private let loops: EventLoopGroup
    private let stream: AsyncStream<DeviceEvent>

    init(foreground: Bool, dismissCategories: [String] = []) async throws {
        loops = try EventLoopGroup(count: 1)
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self)
        self.stream = stream
        var package = AppPackage(
            bundleID: Self.bundleID, mode: .classic, configurationPlist: Array(Self.plist.utf8))
        package.dismissCategories = dismissCategories
        phone = VirtualIPhone(
            name: "test", package: package,
            link: link, transport: NoService(), clock: SystemClock(), loop: loops.next(),
            events: { continuation.yield($0) })
        try await phone.launch(foreground: foreground)
    }

    /// Waits for an event of that kind.
    func event(_ kind: DeviceEvent.Kind) async -> DeviceEvent? {
        for await event in stream where event.kind == kind { return event }
        return nil
    }

    /// The next event from now on.
    func nextEvent() async -> DeviceEvent? {
        for await event in stream { return event }
        return nil
    }

    func end() async {
        await phone.close()
        loops.shutDown()
    }
}

@Suite struct `Virtual iPhone` {
    private static let alert = #"{"aps":{"alert":{"title":"T","body":"B"}},"gcm.message_id":"1"}"#
    private static let silent = #"{"aps":{"content-available":1},"k":"v","gcm.message_id":"2"}"#

    @Test func `lets the app decide about a notification in the foreground`() async throws {
        let world = try await PhoneWorld(foreground: true)
        world.link.push(Self.alert)
        let event = await world.event(.willPresent)
        #expect(event?.messageID == "1")
        #expect(event?.details["title"] == "T")
        #expect(world.phone.shownNotifications.isEmpty)
        await world.end()
    }

    @Test func `shows a notification in the background, and opens the app when it is tapped`() async throws {
        let world = try await PhoneWorld(foreground: false)
        world.link.push(Self.alert)
        _ = await world.event(.shown)
        #expect(world.phone.shownNotifications.map(\.body) == ["B"])
        #expect(try await world.phone.tap(nil))
        #expect(await world.event(.didReceiveResponse)?.messageID == "1")
        #expect(world.phone.isForeground)
        #expect(world.phone.shownNotifications.isEmpty)
        #expect(try await world.phone.tap(nil) == false)
        await world.end()
    }

    private static func alert(in category: String, id: String = "1") -> String {
        #"{"aps":{"alert":"B","category":"\#(category)"},"gcm.message_id":"\#(id)"}"#
    }

    @Test func `tells the app of a notification that is put away when its category asks for that`() async throws {
        let world = try await PhoneWorld(foreground: false, dismissCategories: ["news"])
        world.link.push(Self.alert(in: "news"))
        _ = await world.event(.shown)
        #expect(try await world.phone.dismiss("1"))
        #expect(await world.event(.dismissed)?.messageID == "1")
        let response = await world.event(.didReceiveResponse)
        #expect(response?.details["action_identifier"] == "com.apple.UNNotificationDismissActionIdentifier")
        #expect(!world.phone.isForeground, "nothing was opened")
        #expect(world.phone.shownNotifications.isEmpty)
        #expect(try await world.phone.dismiss(nil) == false)
        await world.end()
    }

    /// With what the payload says, and the categories of the app.
    @Test(arguments: [
        (alert, ["news"]), (alert(in: "news"), []), (alert(in: "news"), ["sport"]), (alert(in: ""), ["news"]),
        (alert(in: "NEWS"), ["news"]),
    ])
    func `tells the app nothing of a notification that is put away otherwise`(
        payload: String, categories: [String]
    ) async throws {
        let world = try await PhoneWorld(foreground: false, dismissCategories: categories)
        world.link.push(payload)
        _ = await world.event(.shown)
        #expect(try await world.phone.dismiss(nil))
        #expect(world.phone.shownNotifications.isEmpty)
        world.link.push(Self.silent)
        var kinds: [DeviceEvent.Kind] = []
        while let event = await world.nextEvent(), event.kind != .didReceiveRemoteNotification {
            kinds.append(event.kind)
        }
        #expect(kinds == [.dismissed])
        await world.end()
    }

    @Test(arguments: [true, false]) func `starts an ended app in the background for it`(byUser: Bool) async throws {
        let world = try await PhoneWorld(foreground: false, dismissCategories: ["news"])
        world.link.push(Self.alert(in: "news"))
        _ = await world.event(.shown)
        await world.phone.terminate(byUser: byUser)
        #expect(try await world.phone.dismiss(nil))
        _ = await world.event(.didReceiveResponse)
        #expect(world.phone.isRunning && !world.phone.isForeground)
        await world.end()
    }

    @Test func `leaves an ended app alone when its category asks for nothing`() async throws {
        let world = try await PhoneWorld(foreground: false)
        world.link.push(Self.alert)
        _ = await world.event(.shown)
        await world.phone.terminate(byUser: false)
        #expect(try await world.phone.dismiss(nil))
        #expect(!world.phone.isRunning)
        await world.end()
    }

    @Test func `knows the categories of the last call, until the app is removed`() async throws {
        let world = try await PhoneWorld(foreground: false, dismissCategories: ["news"])
        world.phone.setNotificationCategories([
            NotificationCategory(identifier: "news", hasCustomDismissAction: false),
            NotificationCategory(identifier: "sport", hasCustomDismissAction: true),
        ])
        for (number, category) in ["news", "sport"].enumerated() {
            world.link.push(Self.alert(in: category, id: "\(number)"), id: "\(number)")
            _ = await world.event(.shown)
            #expect(try await world.phone.dismiss(nil))
        }
        #expect(await world.event(.didReceiveResponse)?.messageID == "1")
        await world.phone.uninstall()
        #expect(world.phone.state.withLock(\.categories).isEmpty)
        await world.end()
    }

    @Test func `tells the app of a silent push wherever it is`() async throws {
        let world = try await PhoneWorld(foreground: false)
        world.link.push(Self.silent)
        let event = await world.event(.didReceiveRemoteNotification)
        #expect(event?.details["user_info"]?.object?["k"] == "v")
        await world.end()
    }

    @Test func `starts an ended app for a silent push, but not when the user ended it`() async throws {
        let world = try await PhoneWorld(foreground: true)
        await world.phone.terminate(byUser: false)
        world.link.push(Self.silent)
        _ = await world.event(.didReceiveRemoteNotification)
        #expect(world.phone.isRunning && !world.phone.isForeground)
        await world.phone.terminate(byUser: true)
        world.link.push(Self.silent)
        #expect(await world.event(.dropped)?.messageID == "2")
        #expect(!world.phone.isRunning)
        await world.end()
    }

    @Test func `shows nothing when the user does not want it`() async throws {
        let world = try await PhoneWorld(foreground: false)
        world.phone.setAllowsNotifications(false)
        world.link.push(Self.alert)
        _ = await world.event(.dropped)
        #expect(world.phone.shownNotifications.isEmpty)
        await world.end()
    }

    @Test func `replaces what has the same collapse id`() async throws {
        let world = try await PhoneWorld(foreground: false)
        for number in 1...3 {
            world.link.push(Self.alert, collapseID: "score", id: "id-\(number)")
            _ = await world.event(.shown)
        }
        #expect(world.phone.shownNotifications.count == 1)
        await world.end()
    }

    @Test(arguments: ["", "[]", "{}", #"{"aps":{"unknown":1}}"#])
    func `drops what is no push and says so`(payload: String) async throws {
        let world = try await PhoneWorld(foreground: true)
        world.link.push(payload)
        #expect(await world.event(.dropped)?.details["reason"] != nil)
        await world.end()
    }

    @Test func `sets the badge and clears it`() async throws {
        let world = try await PhoneWorld(foreground: false)
        world.link.push(#"{"aps":{"badge":5}}"#)
        _ = await world.event(.badgeChanged)
        #expect(world.phone.badge == 5)
        world.link.push(#"{"aps":{"badge":0}}"#)
        _ = await world.event(.badgeChanged)
        #expect(world.phone.badge == 0)
        await world.end()
    }

    private func outcome(_ world: PhoneWorld, _ topic: String, subscribes: Bool) async throws -> TopicOutcome {
        try await world.phone.changeTopic(
            TopicChange(topic: topic, subscribes: subscribes), withinMilliseconds: 30_000)
    }

    @Test(arguments: [true, false])
    func `tells how a topic call failed`(subscribes: Bool) async throws {
        let world = try await PhoneWorld(foreground: true)
        guard case .failed(let wrong) = try await outcome(world, "no good", subscribes: subscribes) else {
            Issue.record("a wrong name was taken")
            return
        }
        #expect(wrong.isWrongName)
        #expect(wrong.description.hasPrefix("com.google.fcm error 8"))
        #expect(await world.event(.didFailTopicCall)?.details["topic"] == "no good")
        // The service does not answer, so there is no registration.
        guard case .failed(let unreachable) = try await outcome(world, "news", subscribes: subscribes) else {
            Issue.record("a call without a registration succeeded")
            return
        }
        #expect(!unreachable.isWrongName)
        #expect(unreachable.description.hasPrefix("NSURLErrorDomain error -1004"))
        await world.end()
    }

    @Test func `makes no topic calls when the app does not run`() async throws {
        let world = try await PhoneWorld(foreground: true)
        await world.phone.terminate(byUser: true)
        await #expect(throws: VirtualIPhone.Failure.notRunning) {
            _ = try await outcome(world, "news", subscribes: true)
        }
        await world.end()
    }
}
