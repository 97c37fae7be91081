import JSON
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `The way of each recipient's copy` {
    typealias World = DirectChannelWorld

    private func place(
        _ message: Message, for recipient: Registration, in world: World = World()
    ) -> InboxPlace? {
        let planned = world.planner.plan(Sample.message(message), for: [recipient])
        #expect(planned.map(\.registration) == [recipient.id])
        return planned.first?.inbox
    }

    private static func apns(_ payload: JSONObject) -> Message { Message(apns: APNsOptions(payload: payload)) }

    // MARK: Android and browsers

    @Test func `an app on the device channel has an inbox, whatever the message`() {
        let world = World()
        for message in [
            Message(),
            Message(notification: .init(title: "A"), android: AndroidOptions(collapseKey: "do_not_collapse")),
            Message(data: Sample.data(("k", "v"))),
        ] {
            let place = place(message, for: World.recipient(), in: world)
            #expect(
                place
                    == InboxPlace(
                        device: World.device, collapseKey: nil,
                        expiresAt: Sample.acceptedAt.adding(seconds: 2_419_200), isConnected: false))
        }
        _ = world.connect()
        #expect(place(Message(), for: World.recipient(), in: world)?.isConnected == true)
    }

    @Test func `a registration without a device has none`() {
        #expect(place(Message(), for: World.recipient(device: 0)) == nil)
        #expect(place(Message(), for: World.recipient(channel: .apple(nil), device: 0)) == nil)
    }

    static let keys: [(name: String, message: Message, channel: Registration.Channel, key: String?)] = [
        ("none", Message(), .device, nil),
        ("Android's", Message(android: AndroidOptions(collapseKey: "k")), .device, "k"),
        ("the package of what is shown", Message(notification: .init(title: "A")), .device, "com.example.app"),
        (
            "the package of what Android alone shows", Message(android: AndroidOptions(notification: [:])), .device,
            "com.example.app"
        ),
        (
            "the sender's before the package",
            Message(notification: .init(title: "A"), android: AndroidOptions(collapseKey: "k")), .device, "k"
        ),
        (
            "an empty one for the package",
            Message(notification: .init(title: "A"), android: AndroidOptions(collapseKey: "")), .device,
            "com.example.app"
        ),
        ("an empty one", Message(android: AndroidOptions(collapseKey: "")), .device, nil),
        ("what stands for none", Message(android: AndroidOptions(collapseKey: "do_not_collapse")), .device, nil),
        (
            "Apple's is none of Android's",
            Message(apns: APNsOptions(headers: Sample.headers(("apns-collapse-id", "a")))), .device, nil
        ),
        (
            "Apple's", Message(apns: APNsOptions(headers: Sample.headers(("apns-collapse-id", "a")))), .apple(nil),
            "a"
        ),
        (
            "the legacy one before Apple's",
            Message(
                apns: APNsOptions(headers: Sample.headers(("apns-collapse-id", "a"))),
                android: AndroidOptions(collapseKey: "k")), .apple(nil), "k"
        ),
        (
            "the topic of encrypted content",
            Message(
                android: AndroidOptions(collapseKey: "k"),
                encrypted: EncryptedContent(body: [1], contentEncoding: "aes128gcm", from: "f", topic: "t")), .device,
            "t"
        ),
    ]

    @Test(arguments: keys) func `the collapse key`(
        row: (name: String, message: Message, channel: Registration.Channel, key: String?)
    ) {
        let place = place(row.message, for: World.recipient(channel: row.channel))
        if row.message.encrypted == nil || row.channel == .device { #expect(place != nil) }
        #expect(place?.collapseKey == row.key)
    }

    static let lifetimes: [(name: String, message: Message, channel: Registration.Channel, seconds: Int64)] = [
        ("four weeks without one", Message(), .device, 2_419_200),
        ("Android's", Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 90))), .device, 90),
        ("now or never", Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 0))), .device, 0),
        ("Apple without an expiration", Message(), .apple(nil), 2_419_200),
        (
            "Apple with the one that all have",
            Message(android: AndroidOptions(timeToLive: TimeToLive(seconds: 60))), .apple(nil), 60
        ),
        (
            "Apple's expiration, not Android's",
            Message(
                apns: APNsOptions(headers: Sample.headers(("apns-expiration", "1700000100"))),
                android: AndroidOptions(timeToLive: TimeToLive(seconds: 60))), .apple(nil), 100
        ),
        (
            "what APNs must not store", Message(apns: APNsOptions(headers: Sample.headers(("apns-expiration", "0")))),
            .apple(nil), 0
        ),
        (
            "an expiration that has passed",
            Message(apns: APNsOptions(headers: Sample.headers(("apns-expiration", "1600000000")))), .apple(nil), 0
        ),
        (
            "an expiration in years",
            Message(apns: APNsOptions(headers: Sample.headers(("apns-expiration", "9223372036854775807")))),
            .apple(nil), 2_419_200
        ),
    ]

    @Test(arguments: lifetimes) func `the time to live`(
        row: (name: String, message: Message, channel: Registration.Channel, seconds: Int64)
    ) {
        let place = place(row.message, for: World.recipient(channel: row.channel))
        #expect(place?.expiresAt == Sample.acceptedAt.adding(seconds: row.seconds))
    }

    // MARK: Apple

    static let address = Registration.Channel.apple(Sample.address())

    static let forApps: [(name: String, message: Message)] = [
        ("data", Message(data: Sample.data(("k", "v")))),
        ("nothing", Message()),
        ("silent", apns(["aps": ["content-available": 1]])),
        ("texts beside aps", apns(["aps": ["content-available": 1, "category": "c"], "k": "v"])),
        ("data with Android's notification", Message(android: AndroidOptions(notification: ["title": "t"]))),
    ]

    @Test(arguments: forApps) func `data for an Apple app takes its connection, else APNs`(
        row: (name: String, message: Message)
    ) {
        let world = World()
        let recipient = World.recipient(channel: Self.address)
        #expect(place(row.message, for: recipient, in: world) == nil)
        _ = world.connect()
        let connected = place(row.message, for: recipient, in: world)
        #expect(connected?.isConnected == true && connected?.mayReturn == true)
    }

    static let forUsers: [(name: String, message: Message)] = [
        ("a notification", Message(notification: .init(title: "t"))),
        ("an empty notification", Message(notification: .init())),
        ("an alert", apns(["aps": ["alert": "a"]])),
        ("a badge", apns(["aps": ["badge": 0]])),
        ("a sound", apns(["aps": ["sound": "default"]])),
        ("an image", Message(apns: APNsOptions(image: "https://example.com/i.png"))),
        ("a live activity", Message(apns: APNsOptions(liveActivityToken: "ab"))),
        ("a number that the channel cannot carry", apns(["n": 1])),
        ("a dictionary that the channel cannot carry", apns(["d": [:]])),
        (
            "encrypted content",
            Message(encrypted: EncryptedContent(body: [1], contentEncoding: "aes128gcm", from: "f"))
        ),
    ]

    @Test(arguments: forUsers) func `what the user sees or only APNs can carry goes to APNs`(
        row: (name: String, message: Message)
    ) {
        let world = World()
        _ = world.connect()
        #expect(place(row.message, for: World.recipient(channel: Self.address), in: world) == nil)
        #expect(place(row.message, for: World.recipient(channel: .apple(nil)), in: world) == nil)
    }

    @Test func `data for an app that APNs does not know yet waits in its inbox`() {
        let place = place(Message(), for: World.recipient(channel: .apple(nil)))
        #expect(place?.isConnected == false && place?.mayReturn == true)
    }

    // MARK: Web

    private func browser(_ world: World, subtype: String = "wp:site") async throws -> (Registration, String) {
        let browser = try await world.store.register(
            RegistrationDraft(
                project: Sample.project().number, app: nil, fid: "", bundleID: "org.chromium.linux", channel: .device,
                isFIDMode: false, androidID: 77, sender: "BApplicationKey", subtype: subtype, time: Sample.acceptedAt,
                freshNonce: 5))
        return (browser, world.tokens.token(of: browser))
    }

    private static func web(_ endpoint: String) -> Registration {
        World.recipient(
            9, channel: .web(endpoint: endpoint, p256dh: "k", auth: "a", applicationKey: "BKey"), device: 0)
    }

    @Test func `a web app whose endpoint is one of ours has the inbox of its browser`() async throws {
        let world = World()
        let (browser, token) = try await browser(world)
        for host in ["https://fcm.googleapis.com/fcm/send/", "https://push.example:9600/wp/"] {
            let message = Message(
                webpush: WebPushOptions(headers: Sample.headers(("ttl", "1"), ("TTL", "30"), ("Topic", "t"))))
            let place = place(message, for: Self.web(host + token), in: world)
            #expect(place?.device == 77 && place?.collapseKey == "t" && place?.mayReturn == false)
            #expect(place?.expiresAt == Sample.acceptedAt.adding(seconds: 30))
        }
        try await world.store.end(browser.id, .deletedByApp, at: Sample.acceptedAt)
        #expect(place(Message(), for: Self.web("https://push.example/wp/" + token), in: world) == nil)
    }

    @Test func `other endpoints have none`() async throws {
        let world = World()
        let (browser, token) = try await browser(world)
        var earlier = browser
        earlier.tokenNonce = 6
        let endpoints = [
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA", "", "/", "https://push.example/",
            "https://push.example/wp/" + token.dropLast(), "https://push.example/wp/" + token + "x",
            "https://push.example/wp/" + world.tokens.token(of: earlier),
        ]
        for endpoint in endpoints { #expect(place(Message(), for: Self.web(endpoint), in: world) == nil) }
    }
}
