import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// Faults that the official SDK is known for and that no other test shows to be absent. `docs/sdk-faults.md` has them all.
@Suite struct `Known faults of the official SDK` {
    private func registered(_ infoPlist: [String: PlistValue] = [:]) throws -> TestPhone {
        let phone = TestPhone(infoPlist: infoPlist)
        try phone.launch()
        if phone.messaging.isInstallationIdEnabled { try phone.installationID() }
        phone.setAPNSToken()
        return phone
    }

    @Test func `16133 a new installation id is registered once the network is back`() throws {
        let phone = try registered(TestPhone.fidMode)
        let old = try phone.installationID()
        phone.service.override { $0.kind == .registration ? .failure(.notConnectedToInternet) : nil }
        Installations.installations(app: phone.container.app!).delete { _ in }
        phone.drain()
        let new = try phone.installationID()
        #expect(new != old)
        #expect(phone.storedToken == nil)
        phone.service.endOverrides()
        for _ in 0..<12 { phone.wait(seconds: 1024) }
        #expect(phone.storedToken?.token == new)
        #expect(phone.delegate.calls.last == .registration(new))
    }

    @Test func `16638 register does not answer from a registration of another installation or device token`() throws {
        let phone = try registered(TestPhone.fidMode)
        try phone.rewriteStored { $0.token = "cOtherInstallationAAAA" }
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.registration).count == 2)
        #expect(phone.storedToken?.token == (try phone.installationID()))
        try phone.rewriteStored { $0.apns = APNSBinding(deviceToken: [1], isSandbox: false) }
        try phone.relaunch()
        let early = phone.call { $0.register(completion: $1) }
        phone.drain()
        #expect((early.entries.first as? MessagingError)?.errorCode == 505)
        phone.setAPNSToken()
        #expect(phone.requests(.registration).count == 3)
    }

    @Test(arguments: ["bplist00 an archive of the official SDK", "", "{\"token\":7}"])
    func `12245 an archive that cannot be read costs one request, and the app has its token`(archive: String) throws {
        let phone = TestPhone()
        let key = SecureItemKey(
            generic: TokenStore.generic, service: "\(TestPhone.sender):*", account: TestPhone.bundleID)
        try phone.device.secureStore.write(Array(archive.utf8), for: key)
        try phone.launch()
        #expect(phone.delegate.calls.isEmpty)
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
        #expect(phone.delegate.calls == [.token(phone.storedToken?.token)])
        #expect(phone.storedToken != nil)
    }

    @Test func `13267 the stored token is there without a network and without an APNs token`() throws {
        let phone = try registered()
        let token = try #require(phone.storedToken?.token)
        phone.service.override { _ in .failure(.notConnectedToInternet) }
        try phone.relaunch()
        #expect(phone.tokens.fcmToken == token)
    }

    @Test func `8491 a deleted token stays deleted until it is asked for, and the next one is another`() throws {
        let phone = try registered()
        let old = try #require(phone.storedToken?.token)
        let deleted = phone.call { $0.tokens.deleteToken(completion: $1) }
        phone.drain()
        #expect(deleted.entries.count == 1)
        phone.setAPNSToken()
        phone.wait(seconds: 3600)
        #expect(phone.requests(.register).count == 1)
        #expect(phone.storedToken == nil)
        let asked = phone.token()
        phone.drain()
        #expect(try asked.entries.first?.get() != old)
        #expect(phone.requests(.delete).count == 1)
    }

    @Test func `6766 a token that is not bound to APNs is bound when the APNs token comes`() throws {
        let phone = try registered()
        try phone.rewriteStored { $0.apns = nil }
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 2)
        #expect(phone.storedToken?.apns?.hex == TestPhone.hex)
    }

    @Test func `3112 calls at the same time share one check-in`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.messaging.apnsToken = TestPhone.deviceToken
        let results = (0..<3).map { phone.token(of: "4\($0)") }
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        #expect(phone.requests(.checkIn).count == 1)
        #expect(results.allSatisfy { $0.entries.count == 1 })
    }

    @Test func `6238 a second and a third start send nothing and tell the same token`() throws {
        let phone = try registered()
        let (token, sent) = (phone.storedToken?.token, phone.device.transport.requests.count)
        for _ in 0..<2 {
            try phone.relaunch()
            phone.setAPNSToken()
        }
        #expect(phone.device.transport.requests.count == sent)
        #expect(phone.delegate.calls == [.token(token), .token(token), .token(token)])
    }

    @Test func `7707 an open counts when the tap starts the app`() throws {
        let phone = try registered()
        let analytics = RecordingAnalytics()
        phone.device = phone.device.relaunched()
        phone.device.analytics = analytics
        try phone.launch(drains: false)
        phone.messaging.appDidReceiveMessage([
            "aps": ["alert": "hi"], "gcm.message_id": "m", "google.c.a.e": "1",
        ])
        phone.drain()
        #expect(analytics.record.entries == [.event(origin: "fcm", name: "_no", parameters: [:])])
    }
}
