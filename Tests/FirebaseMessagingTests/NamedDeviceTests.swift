import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `The direct channel of an app that registers its installation id` {
    private static let server = "https://push.example.com"

    /// What the registrations said of the device.
    private func named(_ phone: TestPhone) -> [String?] {
        phone.requests(.registration).map { request in
            request.headers.first { $0.name == "Authorization" }?.value
        }
    }

    private func phone(serverURL: String?) throws -> TestPhone {
        let phone = TestPhone(infoPlist: TestPhone.fidMode)
        try phone.launch(serverURL: serverURL)
        try phone.installationID()
        phone.setAPNSToken()
        return phone
    }

    private func openChannel(_ phone: TestPhone) {
        let calls: any DirectChannelCalls = phone.messaging
        calls.shouldEstablishDirectChannel = true
        phone.device.executor.onMain { phone.device.appState.move(to: .active) }
        phone.drain()
    }

    @Test func `names the device once it has checked in, so that data takes the channel`() throws {
        let phone = try phone(serverURL: Self.server)
        #expect(named(phone) == [nil])
        openChannel(phone)
        let device = try #require(phone.messaging.core?.service.checkIns.stored()?.credentials)
        #expect(named(phone) == [nil, device.authorization])
        #expect(phone.storedToken?.deviceID == device.deviceID)
        // The id is the same, so the app hears of it once.
        #expect(phone.delegate.calls.count == 1)
    }

    @Test func `names it once, across launches too`() throws {
        let phone = try phone(serverURL: Self.server)
        openChannel(phone)
        phone.device = phone.device.relaunched()
        try phone.launch(serverURL: Self.server)
        phone.setAPNSToken()
        openChannel(phone)
        #expect(named(phone).count == 2)
    }

    @Test func `does not tell Google of it`() throws {
        let phone = try phone(serverURL: nil)
        openChannel(phone)
        #expect(phone.messaging.core?.service.checkIns.stored() != nil)
        #expect(named(phone) == [nil])
    }

    @Test func `asks for no check-in while the app wants no channel`() throws {
        let phone = try phone(serverURL: Self.server)
        #expect(phone.requests(.checkIn).isEmpty)
        #expect(named(phone) == [nil])
    }
}
