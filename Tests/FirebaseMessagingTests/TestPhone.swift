import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Foundation
import JSON
import Synchronization
import Testing

@testable import FirebaseMessaging

/// An app on a phone at a standstill, with a service behind it.
final class TestPhone {
    static let bundleID = "com.example.pushdemo"
    static let sender = "123456789012"
    static let appID = "1:123456789012:ios:0123456789abcdef"
    static let apiKey = "AIzaSyA0123456789abcdefghijklmnopqrstuv"
    static let deviceToken = Data((0..<32).map { UInt8($0) })
    static let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

    var device: InMemoryDevice
    let service: FakeService
    let delegate = RecordingDelegate()
    private(set) var container: FirebaseContainer!

    init(infoPlist: [String: PlistValue] = [:], service: FakeService = FakeService()) {
        device = InMemoryDevice(
            appInfo: FixedAppInfo(bundleID: Self.bundleID, shortVersion: "1.2.3", infoPlist: infoPlist))
        self.service = service
    }

    static var fidMode: [String: PlistValue] { ["FirebaseMessagingInstallationIdEnabled": .bool(true)] }

    /// Starts the app: configures, sets the delegate, and lets everything happen.
    func launch(
        sender: String = TestPhone.sender, serverURL: String? = nil, directChannel: String? = nil, drains: Bool = true
    ) throws {
        let service = service
        device.transport.answer { await service.answer($0) }
        container = FirebaseContainer(platform: device.platform)
        let options = FirebaseOptions(googleAppID: Self.appID, gcmSenderID: sender)
        options.apiKey = Self.apiKey
        options.projectID = "demo-pharos"
        options.serverURL = serverURL
        options.directChannel = directChannel
        try container.configure(options: options)
        messaging.delegate = delegate
        if drains { drain() }
    }

    /// Ends the app and starts it again.
    func relaunch(sender: String = TestPhone.sender) throws {
        device = device.relaunched()
        try launch(sender: sender)
    }

    var messaging: Messaging { container.messaging! }

    func drain() { device.executor.drain() }

    func setAPNSToken(_ token: Data = TestPhone.deviceToken) {
        messaging.apnsToken = token
        drain()
    }

    func wait(seconds: Double) {
        device.clock.advance(seconds: seconds)
        drain()
    }

    /// The installation id, and the service told about it.
    @discardableResult
    func installationID() throws -> String {
        let id = try Installations.installations(app: container.app!).currentID().get()
        service.registers(id)
        return id
    }

    func requests(_ kind: WebRequest.Kind) -> [WebRequest] {
        device.transport.requests.filter { $0.kind == kind }
    }

    func token(of sender: String? = nil) -> Record<Result<String, any Error>> {
        let result = Record<Result<String, any Error>>()
        let completion: (String?, (any Error)?) -> Void = { token, error in
            result.append(token.map(Result.success) ?? .failure(error!))
        }
        if let sender {
            messaging.tokens.retrieveFCMToken(forSenderID: sender, completion: completion)
        } else {
            messaging.tokens.token(completion: completion)
        }
        return result
    }

    /// Runs a call with an error completion.
    func call(_ start: (Messaging, @escaping ((any Error)?) -> Void) -> Void) -> Record<(any Error)?> {
        let result = Record<(any Error)?>()
        start(messaging) { result.append($0) }
        return result
    }

    var storedToken: TokenRecord? { stored(Self.sender) }

    func stored(_ sender: String) -> TokenRecord? {
        let key = SecureItemKey(generic: TokenStore.generic, service: "\(sender):*", account: Self.bundleID)
        return device.secureStore.items[key].flatMap(TokenRecord.init(stored:))
    }

    /// Changes the stored token behind the app's back; effective at the next launch.
    func rewriteStored(_ change: (inout TokenRecord) -> Void) throws {
        var record = try #require(storedToken)
        change(&record)
        let key = SecureItemKey(generic: TokenStore.generic, service: record.key.service, account: Self.bundleID)
        try device.secureStore.write(record.stored, for: key)
    }

    var refreshes: [String?] {
        device.notifications.record.entries.filter { $0.name == .registrationRefreshed }
            .map { $0.object as? String }
    }

    var logCodes: [String] { device.log.record.entries.map(\.code) }
}

/// Notes what it is told, and whether that was on the main executor.
final class RecordingDelegate: MessagingDelegate {
    enum Call: Sendable, Hashable {
        case token(String?)
        case registration(String?)
        case unregistered(String)
    }

    let record = Record<Call>()

    var calls: [Call] { record.entries }

    func messaging(_ messaging: Messaging, didReceiveRegistrationToken fcmToken: String?) {
        record.append(.token(fcmToken))
    }

    func messaging(_ messaging: Messaging, didReceiveRegistration installationId: String?) {
        record.append(.registration(installationId))
    }

    func messaging(_ messaging: Messaging, didUnregister installationId: String) {
        record.append(.unregistered(installationId))
    }
}

extension Result {
    var messagingCode: Int? {
        if case .failure(let error) = self { (error as? MessagingError)?.errorCode } else { nil }
    }

    var webCode: Int? {
        if case .failure(let error) = self { (error as? WebError)?.errorCode } else { nil }
    }
}
