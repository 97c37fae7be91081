import FirebaseCore
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `Rule 1 - what the app is told` {
    @Test func `a first install gets its token once, after the APNs token`() throws {
        let phone = TestPhone()
        try phone.launch()
        #expect(phone.delegate.calls.isEmpty)
        #expect(phone.requests(.register).isEmpty)
        phone.setAPNSToken()
        let token = try #require(phone.tokens.fcmToken)
        #expect(phone.delegate.calls == [.token(token)])
        #expect(phone.refreshes == [token])
        #expect(token.hasPrefix(try phone.installationID() + ":"))
    }

    @Test func `each start with a stored token tells it exactly once`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let token = phone.tokens.fcmToken
        try phone.relaunch()
        #expect(phone.delegate.calls == [.token(token), .token(token)])
        phone.setAPNSToken()
        phone.setAPNSToken()
        #expect(phone.token().entries.isEmpty)
        phone.drain()
        #expect(phone.delegate.calls.count == 2)
        #expect(phone.refreshes == [token])
        #expect(phone.requests(.register).count == 1)
    }

    @Test func `a delegate that is set late is told what it missed, once`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.messaging.delegate = nil
        phone.setAPNSToken()
        #expect(phone.delegate.calls.isEmpty)
        phone.messaging.delegate = phone.delegate
        phone.drain()
        phone.messaging.delegate = phone.delegate
        phone.drain()
        #expect(phone.delegate.calls == [.token(phone.tokens.fcmToken)])
        #expect(phone.refreshes.count == 1)
    }

    @Test func `deleting tells nil before the completion`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let order = Record<String>()
        let told = phone.delegate.record.observe { order.append("\($0)") }
        phone.tokens.deleteToken { order.append("completion \($0 == nil)") }
        phone.drain()
        told.cancel()
        #expect(order.entries == ["token(nil)", "completion true"])
        #expect(phone.refreshes.last == .some(nil))
        #expect(phone.tokens.fcmToken == nil)
    }

    @Test func `everything arrives on the main executor`() throws {
        let phone = TestPhone()
        try phone.launch()
        let executor = phone.device.executor
        let onMain = Record<Bool>()
        let told = phone.delegate.record.observe { _ in onMain.append(executor.isCurrent) }
        let posted = phone.device.notifications.record.observe { _ in onMain.append(executor.isCurrent) }
        phone.setAPNSToken()
        phone.tokens.token { _, _ in onMain.append(executor.isCurrent) }
        phone.tokens.deleteToken { _ in onMain.append(executor.isCurrent) }
        phone.drain()
        told.cancel()
        posted.cancel()
        #expect(onMain.entries.count >= 6)
        #expect(onMain.entries.allSatisfy { $0 })
    }

    @Test func `callbacks find their own app through the static API`() throws {
        let phone = TestPhone()
        try phone.launch()
        let found = Record<Bool>()
        let messaging = phone.messaging
        messaging.tokens.token { _, _ in found.append(Messaging.messaging() === messaging) }
        phone.drain()
        #expect(found.entries == [true])
    }

    @Test func `a missing delegate method is warned about`() throws {
        final class Silent: MessagingDelegate {}
        let silent = Silent()
        let phone = TestPhone()
        try phone.launch()
        phone.messaging.delegate = silent
        phone.setAPNSToken()
        #expect(phone.logCodes.contains("I-FCM002023"))
    }
}

@Suite struct `Rule 3 - no request without an APNs token` {
    @Test func `the token call answers 505 on main and sends nothing`() throws {
        let phone = TestPhone()
        try phone.launch()
        let result = phone.token()
        #expect(result.entries.isEmpty)
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [505])
        #expect(phone.requests(.register).isEmpty)
        #expect(phone.requests(.checkIn).isEmpty)
        #expect(phone.logCodes.contains("I-FCM002022"))
    }

    @Test func `the request goes out by itself when the token arrives`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
    }

    @Test func `with auto-init off it waits for the app to ask`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).isEmpty)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.count == 1)
        #expect(phone.delegate.calls == [.token(phone.tokens.fcmToken)])
    }

    @Test func `with auto-init off nothing at all is sent, and no identity is made`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.device.transport.requests.isEmpty)
        #expect(phone.device.secureStore.items.isEmpty)
    }

    @Test func `switching auto-init on registers and is remembered`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseMessagingAutoInitEnabled": .bool(false)])
        try phone.launch()
        phone.setAPNSToken()
        phone.messaging.autoInitEnabled = true
        phone.drain()
        #expect(phone.requests(.register).count == 1)
        try phone.relaunch()
        #expect(phone.messaging.isAutoInitEnabled)
    }

    @Test func `a token from the app delegate proxy counts, unless the proxy is off`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.device.push.emit(.registered(deviceToken: Array(TestPhone.deviceToken), environment: .sandbox))
        phone.drain()
        #expect(phone.requests(.register).first?.text.field("apns_token") == "s_\(TestPhone.hex)")

        let off = TestPhone(infoPlist: ["FirebaseAppDelegateProxyEnabled": .bool(false)])
        try off.launch()
        off.device.push.emit(.registered(deviceToken: Array(TestPhone.deviceToken), environment: .sandbox))
        off.drain()
        #expect(off.messaging.apnsToken == nil)
    }

    @Test func `a token that came before the start counts too`() throws {
        let phone = TestPhone()
        phone.device.push.emit(.registered(deviceToken: Array(TestPhone.deviceToken), environment: nil))
        try phone.launch()
        #expect(phone.requests(.register).first?.text.field("apns_token") == "p_\(TestPhone.hex)")
        #expect(phone.delegate.calls.count == 1)
    }

    @Test func `a failed registration with APNs is logged`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.device.push.emit(.failed(reason: "no entitlement"))
        #expect(phone.logCodes.contains("I-FCM012002"))
    }

    @Test func `in an app extension nothing happens by itself`() throws {
        let phone = TestPhone()
        phone.device.appInfo.isExtension = true
        try phone.launch()
        #expect(phone.device.transport.requests.isEmpty)
    }
}

@Suite struct `The flags` {
    @Test(
        arguments: [
            (nil, nil, nil, true), (nil, nil, false, false), (nil, .bool(false), true, false),
            (nil, .string("NO"), nil, false), (nil, .string("YES"), false, true), (true, .bool(false), false, true),
            (false, .bool(true), true, false), (nil, .string("maybe"), nil, true),
        ] as [(Bool?, PlistValue?, Bool?, Bool)])
    func `auto-init is what was set, then Info dot plist, then data collection`(
        set: Bool?, plist: PlistValue?, collection: Bool?, expected: Bool
    ) throws {
        let phone = TestPhone()
        phone.device.appInfo.infoPlist["FirebaseMessagingAutoInitEnabled"] = plist
        try phone.launch()
        if let collection { phone.container.app?.isDataCollectionDefaultEnabled = collection }
        if let set { phone.messaging.isAutoInitEnabled = set }
        #expect(phone.messaging.isAutoInitEnabled == expected)
    }

    @Test(
        arguments: [
            (nil, true), (.bool(true), true), (.bool(false), false), (.integer(0), false), (.string("NO"), true),
        ] as [(PlistValue?, Bool)])
    func `only a boolean switches the proxy off`(value: PlistValue?, isEnabled: Bool) {
        for key in ["FirebaseAppDelegateProxyEnabled", "GoogleUtilitiesAppDelegateProxyEnabled"] {
            var info = FixedAppInfo(bundleID: "b")
            info.infoPlist[key] = value
            #expect(info.isAppDelegateProxyEnabled == isEnabled)
        }
    }

    @Test func `the installation id flag is read each time`() throws {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch()
        #expect(phone.messaging.isInstallationIdEnabled)
        let classic = TestPhone()
        try classic.launch()
        #expect(!classic.messaging.isInstallationIdEnabled)
    }

    @Test func `PLI-06 without GCM_SENDER_ID token ends with an error and the log names the key`() throws {
        let phone = TestPhone()
        try phone.launch(sender: "")
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [502])
        #expect(phone.device.log.record.entries.contains { $0.message.contains("GCM_SENDER_ID") })
        phone.setAPNSToken()
        #expect(phone.requests(.register).isEmpty)
    }

    @Test func `PLI-09 the token of a second project is separate`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.setAPNSToken()
        let first = phone.tokens.fcmToken
        let options = FirebaseOptions(googleAppID: "1:210987654321:ios:fedcba9876543210", gcmSenderID: "210987654321")
        options.apiKey = TestPhone.apiKey
        try phone.container.configure(name: "two", options: options)
        let second = phone.token(of: "210987654321")
        phone.drain()
        #expect(try second.entries.first?.get() != first)
        #expect(phone.tokens.fcmToken == first)
        #expect(phone.delegate.calls == [.token(first)])
        #expect(phone.requests(.register).last?.text.field("sender") == "210987654321")
    }

    @Test func `without an app every call says why`() async throws {
        let device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: "b"))
        let container = FirebaseContainer(platform: device.platform)
        container.run { FirebaseApp.configure() }
        let messaging = container.run { Messaging.messaging() }
        let error = await #expect(throws: MessagingError.self) { try await messaging.tokens.token() }
        #expect(error?.failureReason?.contains("GoogleService-Info.plist") == true)
        messaging.apnsToken = TestPhone.deviceToken
        #expect(messaging.tokens.fcmToken == nil)
        #expect(messaging.appDidReceiveMessage(["a": "b"]).status == .unknown)
        #expect(container.messaging == nil)
    }

    @Test func `after the app is deleted a new one starts afresh`() async throws {
        let phone = TestPhone()
        try phone.launch()
        let first = phone.messaging
        await phone.container.app?.delete()
        try phone.launch()
        #expect(phone.messaging !== first)
        phone.setAPNSToken()
        #expect(phone.tokens.fcmToken != nil)
    }
}
