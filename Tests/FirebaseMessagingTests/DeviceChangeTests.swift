import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

/// What becomes of a registration when the device, the app or the user's settings change.
@Suite struct `A registration and its device` {
    /// A phone that registered.
    private func registered(_ infoPlist: [String: PlistValue] = [:]) throws -> TestPhone {
        let phone = TestPhone(infoPlist: infoPlist)
        try phone.launch()
        if phone.messaging.isInstallationIdEnabled { try phone.installationID() }
        phone.setAPNSToken()
        return phone
    }

    @Test func `another device that the backup was restored to has another identity, and registers anew`() throws {
        let phone = try registered()
        let (token, id) = (try #require(phone.storedToken?.token), try phone.installationID())
        phone.messaging.isAutoInitEnabled = true
        phone.device = phone.device.restoredToAnotherDevice()
        try phone.launch()
        #expect(phone.delegate.calls == [.token(token)])
        #expect(phone.messaging.isAutoInitEnabled)
        phone.setAPNSToken(Data([9, 9]))
        let new = try #require(phone.storedToken?.token)
        #expect(try phone.installationID() != id)
        #expect(new.hasPrefix(try phone.installationID()))
        #expect(phone.requests(.checkIn).last?.text.contains(#""id":0"#) == true)
        // The other device's registration is left to that device.
        #expect(phone.requests(.delete).isEmpty)
        #expect(phone.delegate.calls == [.token(token), .token(new)])
    }

    @Test func `pending topic calls move with the backup, and go out for the new registration`() throws {
        let phone = try registered()
        phone.service.override { $0.kind == .topic ? .failure(.notConnectedToInternet) : nil }
        phone.messaging.subscribe(toTopic: "news")
        phone.drain()
        phone.service.endOverrides()
        phone.device = phone.device.restoredToAnotherDevice()
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.topic).last?.text.field("sender") == phone.storedToken?.token)
    }

    @Test func `in id mode the restored device registers its own id`() throws {
        let phone = try registered(TestPhone.fidMode)
        let id = try phone.installationID()
        phone.device = phone.device.restoredToAnotherDevice()
        try phone.launch()
        let new = try phone.installationID()
        phone.setAPNSToken()
        #expect(new != id)
        #expect(phone.delegate.calls == [.registration(id), .registration(new)])
    }

    @Test func `an update of the app renews the token once`() throws {
        let phone = try registered()
        phone.device.appInfo.shortVersion = "2.0"
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).last?.text.field("app_ver") == "2.0")
        #expect(phone.storedToken?.appVersion == "2.0")
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 2)
    }

    @Test func `a change of the language renews check-in and token once, a change back too`() throws {
        let phone = try registered()
        for (language, count) in [("fr-FR", 2), ("fr-FR", 2), ("en-US", 3)] {
            phone.device.facts.preferredLanguages = [language]
            try phone.relaunch()
            phone.setAPNSToken()
            #expect(phone.requests(.register).count == count)
            #expect(phone.requests(.checkIn).count == count)
        }
        #expect(phone.requests(.checkIn)[1].text.contains(#""locale":"fr""#))
    }

    @Test func `a language that the service does not tell apart changes nothing`() throws {
        let phone = try registered()
        phone.device.facts.preferredLanguages = ["xx", "en-NZ"]
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
    }

    @Test func `in id mode a change of the language registers again once, without any check-in`() throws {
        let phone = try registered(TestPhone.fidMode)
        phone.device.facts.preferredLanguages = ["fr-FR"]
        for _ in 0..<2 {
            try phone.relaunch()
            phone.setAPNSToken()
        }
        #expect(phone.requests(.registration).count == 2)
        #expect(phone.requests(.checkIn).isEmpty)
    }

    @Test func `topic calls in id mode do not register again and again`() throws {
        let phone = try registered(TestPhone.fidMode)
        for topic in ["a", "b", "c"] {
            phone.messaging.subscribe(toTopic: topic)
            phone.drain()
        }
        #expect(phone.requests(.registration).count == 1)
        #expect(phone.requests(.topic).count == 3)
    }

    @Test func `a first start with a locked keychain makes no identity, and the next start goes on`() throws {
        let phone = TestPhone()
        phone.device.secureStore.fail(reads: .interactionNotAllowed, writes: .interactionNotAllowed)
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).isEmpty)
        #expect(phone.delegate.calls.isEmpty)
        phone.device.secureStore.fail(reads: nil, writes: nil)
        try phone.relaunch()
        phone.setAPNSToken()
        #expect(phone.requests(.register).count == 1)
        #expect(phone.delegate.calls.count == 1)
    }

    @Test(arguments: [[:], TestPhone.fidMode]) func `a keychain that was locked at start is read when the app comes up`(
        infoPlist: [String: PlistValue]
    ) throws {
        let phone = TestPhone(infoPlist: infoPlist)
        phone.device.secureStore.fail(reads: .interactionNotAllowed, writes: .interactionNotAllowed)
        try phone.launch()
        phone.setAPNSToken()
        #expect(phone.device.transport.requests.isEmpty)
        phone.device.secureStore.fail(reads: nil, writes: nil)
        if phone.messaging.isInstallationIdEnabled { try phone.installationID() }
        for _ in 0..<2 {
            phone.device.executor.onMain { phone.device.appState.move(to: .active) }
            phone.drain()
            phone.device.executor.onMain { phone.device.appState.move(to: .background) }
            phone.drain()
        }
        #expect(phone.requests(infoPlist.isEmpty ? .register : .registration).count == 1)
        #expect(phone.delegate.calls.count == 1)
    }

    @Test func `a keychain that cannot be written fails the token call, and no token is told twice`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.device.secureStore.fail(reads: nil, writes: .missingEntitlement)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [505])
        phone.setAPNSToken()
        let late = phone.token()
        phone.drain()
        #expect(late.entries.map { (try? $0.get()) == nil } == [true])
    }

    @Test func `an APNs token that arrives while a token is fetched leads to a token bound to it`() throws {
        let phone = try registered()
        phone.messaging.apnsToken = Data([1])
        phone.messaging.apnsToken = Data([2])
        phone.drain()
        #expect(phone.storedToken?.apns?.hex == "02")
        #expect(phone.requests(.register).last?.text.field("apns_token") == "p_02")
    }
}
