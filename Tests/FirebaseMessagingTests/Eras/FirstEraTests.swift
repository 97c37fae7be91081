import Firebase
import FirebasePlatform
import Foundation
import MCSWire
import Testing

@testable import FirebaseMessaging

@Suite struct `The names of 2016` {
    private func device() -> InMemoryDevice {
        let plist = """
            <plist version="1.0"><dict><key>API_KEY</key><string>\(TestPhone.apiKey)</string>
            <key>GCM_SENDER_ID</key><string>\(TestPhone.sender)</string><key>PROJECT_ID</key><string>demo</string>
            <key>GOOGLE_APP_ID</key><string>\(TestPhone.appID)</string></dict></plist>
            """
        let device = InMemoryDevice(
            appInfo: FixedAppInfo(bundleID: TestPhone.bundleID, configuration: Array(plist.utf8)))
        let service = FakeService()
        device.transport.answer { await service.answer($0) }
        return device
    }

    private struct Phone {
        var device: InMemoryDevice
        var container: FirebaseContainer
        var app: any AppOf2016

        func run(_ work: (any AppOf2016) -> Void) {
            container.run { work(app) }
            device.executor.drain()
        }

        func channel() throws -> FakeChannel {
            let channel = FakeChannel(try #require(device.byteStreams.streams.last))
            try channel.logIn()
            device.executor.drain()
            return channel
        }
    }

    private func launched() -> Phone {
        let device = device()
        let phone = Phone(
            device: device, container: FirebaseContainer(platform: device.platform), app: FirstEra.maker.makeApp())
        phone.run { $0.didFinishLaunching() }
        phone.run { $0.didRegister(deviceToken: TestPhone.deviceToken) }
        return phone
    }

    @Test func `do what they did: token, connect, data message, disconnect`() throws {
        let phone = launched()
        phone.run { $0.tokenRefreshed() }
        let channel = try phone.channel()
        #expect(phone.app.told.entries == ["token true", "connected"])
        channel.send(.dataMessage(.message("1", [("k", "v")])))
        phone.device.executor.drain()
        #expect(phone.app.told.entries.last == "message v")
        phone.run { $0.didEnterBackground() }
        #expect(channel.stream.isClosedByClient)
        phone.run { $0.didBecomeActive() }
        _ = try phone.channel()
        #expect(phone.app.told.entries.suffix(2) == ["disconnected", "connected"])
    }

    @Test func `bind the token to the environment that InstanceID is told`() {
        let phone = launched()
        let register = phone.device.transport.requests.last { $0.kind == .register }
        #expect(register?.text.field("apns_token") == "s_\(TestPhone.hex)")
    }

    @Test func `subscribe, send and count messages`() throws {
        let phone = launched()
        phone.run { $0.subscribe() }
        let channel = try phone.channel()
        #expect(phone.app.told.entries.count == 2)
        phone.run { $0.send(messageID: "m1") }
        #expect(phone.app.told.entries.last == "status 1")
        #expect(try channel.packets().dataMessages.map(\.id) == ["m1"])
        let topics = phone.device.transport.requests.filter { $0.kind == .topic }.map {
            ($0.text.field("X-gcm.topic") ?? "") + ($0.text.contains("delete=true") ? " off" : "")
        }
        #expect(Set(topics) == ["/topics/a", "/topics/b off", "/topics/c"])
    }

    @Test func `are the modern notifications, scopes and numbers`() {
        let refresh = "com.firebase.iid.notif.refresh-token"
        let base = "com.firebase.messaging.notif."
        let three = ["send-success", "send-error", "messages-deleted"].map { base + $0 }
        #expect(
            FirstEra.maker.names()
                == FirstEraNames(
                    notifications: [refresh] + three + [refresh] + three,
                    constants: ["fcm"] + three
                        + [base + "connection-state-changed", base + "fcm-token-refreshed", refresh],
                    tokenTypes: [0, 1, 2, 0, 1, 2], codes: [7, 4]))
    }

    @Test func `configure apps with the long list of options`() {
        let container = FirebaseContainer(platform: InMemoryDevice(appInfo: FixedAppInfo(bundleID: "b")).platform)
        container.run {
            #expect(FirstEra.maker.configure(nil))
            #expect(FirstEra.maker.configure("second"))
        }
    }
}
