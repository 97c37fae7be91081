import FirebasePlatform
import Foundation
import Testing

@testable import FirebaseMessaging

@Suite struct `The APNs environment` {
    static func profile(_ key: String, _ value: String) -> [UInt8] {
        let plist =
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>Entitlements</key><dict><key>\(key)</key>"
            + "<string>\(value)</string></dict></dict></plist>"
        return [0x30, 0x82, 0, 0xFF, 0x80] + Array(plist.utf8) + [0, 0xFE, 0x3C]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isSimulator = false
        var isAppStore = false
        var platform = "ios"
        var profile: [UInt8]?
        var isSandbox: Bool
    }

    static let rows = [
        Row(testDescription: "simulator", isSimulator: true, isAppStore: true, isSandbox: true),
        Row(
            testDescription: "App Store", isAppStore: true, profile: profile("aps-environment", "development"),
            isSandbox: false),
        Row(
            testDescription: "development profile", profile: profile("aps-environment", "development"), isSandbox: true),
        Row(testDescription: "production profile", profile: profile("aps-environment", "production"), isSandbox: false),
        Row(testDescription: "no profile", isSandbox: false),
        Row(testDescription: "empty profile", profile: [], isSandbox: false),
        Row(testDescription: "profile without plist", profile: Array("garbage".utf8), isSandbox: false),
        Row(testDescription: "plist without end", profile: Array("<plist version".utf8), isSandbox: false),
        Row(testDescription: "end before start", profile: Array("</plist><plist".utf8), isSandbox: false),
        Row(
            testDescription: "other entitlement", profile: profile("other", "development"), isSandbox: false),
        Row(
            testDescription: "macOS key on macOS", platform: "macos",
            profile: profile("com.apple.developer.aps-environment", "development"), isSandbox: true),
        Row(
            testDescription: "iOS key on macOS", platform: "macos", profile: profile("aps-environment", "development"),
            isSandbox: false),
        Row(
            testDescription: "iOS key on visionOS", platform: "visionos",
            profile: profile("aps-environment", "development"), isSandbox: true),
    ]

    @Test(arguments: rows) func `is found out`(row: Row) {
        var info = FixedAppInfo(bundleID: "b", profile: row.profile)
        info.isSimulator = row.isSimulator
        info.isAppStore = row.isAppStore
        #expect(APNSEnvironment.isSandbox(info, platformName: row.platform) == row.isSandbox)
    }

    @Test(arguments: [
        (MessagingAPNSTokenType.unknown, false, "s_"), (.sandbox, false, "s_"), (.prod, false, "p_"),
        (.prod, true, "s_"),
    ])
    func `what the app says wins, but not on a simulator`(
        type: MessagingAPNSTokenType, isSimulator: Bool, prefix: String
    ) throws {
        let phone = TestPhone()
        phone.device.appInfo.profile = Self.profile("aps-environment", "development")
        phone.device.appInfo.isSimulator = isSimulator
        try phone.launch()
        phone.messaging.setAPNSToken(TestPhone.deviceToken, type: type)
        phone.drain()
        #expect(phone.requests(.register).first?.text.field("apns_token") == prefix + TestPhone.hex)
    }

    @Test func `the token reads back, equal ones do nothing, nil clears only the property`() throws {
        let phone = TestPhone()
        try phone.launch()
        #expect(phone.messaging.apnsToken == nil)
        phone.setAPNSToken()
        #expect(phone.messaging.apnsToken == TestPhone.deviceToken)
        phone.messaging.apnsToken = nil
        #expect(phone.messaging.apnsToken == nil)
        let result = phone.token()
        phone.drain()
        #expect(result.entries.map(\.messagingCode) == [nil])
        #expect(phone.requests(.register).count == 1)
    }
}
