import FirebaseCore
import FirebasePlatform
import Testing

@testable import FirebaseMessaging

@Suite struct `Messages that the system hands to the app` {
    static let payload: [String: PayloadValue] = [
        "aps": ["alert": "hi", "badge": 3], "gcm.message_id": "1", "gcm.app_link": "https://example.com/a",
        "nothing": .null,
    ]

    private func deliver(_ payload: [String: PayloadValue], to phone: TestPhone) {
        phone.device.incomingMessages.deliver(.received(payload))
        phone.drain()
    }

    @Test func `are taken without a line in the app`() throws {
        let phone = TestPhone()
        try phone.launch()
        deliver(Self.payload, to: phone)
        #expect(phone.device.links.record.entries.count == 1)
    }

    @Test func `count once when the app hands them over too`() throws {
        let phone = TestPhone()
        try phone.launch()
        deliver(Self.payload, to: phone)
        phone.messaging.appDidReceiveMessage(["gcm.message_id": "1", "gcm.app_link": "https://example.com/a"])
        phone.drain()
        #expect(phone.device.links.record.entries.count == 1)
    }

    @Test(arguments: [PlistValue.bool(false), .integer(0)])
    func `are left to the app that says NO`(flag: PlistValue) throws {
        let phone = TestPhone(infoPlist: ["FirebaseAppDelegateProxyEnabled": flag])
        try phone.launch()
        deliver(Self.payload, to: phone)
        #expect(phone.device.links.record.entries.isEmpty)
        phone.messaging.appDidReceiveMessage(["gcm.message_id": "1", "gcm.app_link": "https://example.com/a"])
        phone.drain()
        #expect(phone.device.links.record.entries.count == 1)
    }

    @Test func `are taken when NO is text, which is no flag`() throws {
        let phone = TestPhone(infoPlist: ["FirebaseAppDelegateProxyEnabled": .string("NO")])
        try phone.launch()
        deliver(Self.payload, to: phone)
        #expect(phone.device.links.record.entries.count == 1)
    }

    @Test func `end with the app`() throws {
        let phone = TestPhone()
        try phone.launch()
        phone.container.app?.delete { _ in }
        deliver(Self.payload, to: phone)
        #expect(phone.device.links.record.entries.isEmpty)
    }
}
