import FirebaseCore
import FirebaseInstallations
import FirebaseMessaging
import FirebasePlatform
import Foundation
import Testing

/// App code as the vendor's guides write it, against the public API alone.
private final class AppDelegate: MessagingDelegate {
    let told = Record<String>()

    func didFinishLaunching() {
        FirebaseApp.configure()
        Messaging.messaging().delegate = self
    }

    func didRegisterForRemoteNotifications(deviceToken: Data) {
        Messaging.messaging().apnsToken = deviceToken
    }

    func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) {
        Messaging.messaging().appDidReceiveMessage(userInfo)
        if let messageID = userInfo["gcm.message_id"] { told.append("message \(messageID)") }
    }

    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        told.append("token \(fcmToken != nil)")
        Messaging.messaging().tokens.token { [told] token, error in
            if let error {
                told.append("error \(error)")
            } else if let token {
                told.append("same \(token == fcmToken)")
            }
        }
    }

    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
        told.append("registration \(installationId != nil)")
    }

    func register() {
        Messaging.messaging().register { [told] error in
            told.append(error == nil ? "registered" : "not registered")
        }
    }
}

@Suite struct `The guides' code` {
    private func device(_ info: [String: PlistValue] = [:]) -> (InMemoryDevice, FakeService) {
        let plist = """
            <plist version="1.0"><dict><key>API_KEY</key><string>\(TestPhone.apiKey)</string>
            <key>GCM_SENDER_ID</key><string>\(TestPhone.sender)</string><key>PROJECT_ID</key><string>demo</string>
            <key>GOOGLE_APP_ID</key><string>\(TestPhone.appID)</string></dict></plist>
            """
        let device = InMemoryDevice(
            appInfo: FixedAppInfo(
                bundleID: TestPhone.bundleID, infoPlist: info, configuration: Array(plist.utf8)))
        let service = FakeService()
        device.transport.answer { await service.answer($0) }
        return (device, service)
    }

    @Test func `receives a token and messages`() {
        let (device, _) = device()
        let container = FirebaseContainer(platform: device.platform)
        let app = AppDelegate()
        container.run { app.didFinishLaunching() }
        device.executor.drain()
        container.run { app.didRegisterForRemoteNotifications(deviceToken: TestPhone.deviceToken) }
        device.executor.drain()
        container.run { app.didReceiveRemoteNotification(["gcm.message_id": "7", "aps": ["alert": "hi"]]) }
        #expect(app.told.entries == ["token true", "same true", "message 7"])
    }

    @Test func `registers with the installation id`() throws {
        let (device, service) = device([
            "FirebaseMessagingInstallationIdEnabled": .bool(true), "FirebaseMessagingAutoInitEnabled": .bool(false),
        ])
        let container = FirebaseContainer(platform: device.platform)
        let app = AppDelegate()
        container.run { app.didFinishLaunching() }
        device.executor.drain()
        container.run { app.didRegisterForRemoteNotifications(deviceToken: TestPhone.deviceToken) }
        let id = Record<String>()
        container.run { Installations.installations().installationID { found, _ in found.map(id.append) } }
        device.executor.drain()
        service.registers(try #require(id.entries.first))
        container.run { app.register() }
        device.executor.drain()
        #expect(app.told.entries == ["registration true", "registered"])
    }
}
