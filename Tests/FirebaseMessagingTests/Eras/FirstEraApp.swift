import Firebase
import FirebasePlatform
import Foundation

/// What a test does with an app of 2016. Its calls are deprecated: this protocol stands between, so that tests are not.
protocol AppOf2016: AnyObject {
    func didFinishLaunching()
    func didRegister(deviceToken: Data)
    func tokenRefreshed()
    func didBecomeActive()
    func didEnterBackground()
    func subscribe()
    func send(messageID: String)
    var told: Record<String> { get }
}

protocol AppMaker: Sendable {
    func makeApp() -> any AppOf2016
    func names() -> FirstEraNames
    func configure(_ name: String?) -> Bool
}

struct FirstEra: AppMaker {
    @available(*, deprecated)
    func makeApp() -> any AppOf2016 { AppDelegateOf2016() }

    static let maker: any AppMaker = FirstEra()
}

/// An app as it was written for the first releases: every name is of that time.
@available(*, deprecated)
private final class AppDelegateOf2016: FIRMessagingDelegate, AppOf2016 {
    let told = Record<String>()

    func didFinishLaunching() {
        FIRApp.configure()
        FIRMessaging.messaging().remoteMessageDelegate = self
    }

    func didRegister(deviceToken: Data) {
        FIRInstanceID.instanceID().setAPNSToken(deviceToken, type: FIRInstanceIDAPNSTokenType.sandbox)
    }

    func tokenRefreshed() {
        told.append("token \(FIRInstanceID.instanceID().token() != nil)")
        connectToFcm()
    }

    func connectToFcm() {
        guard FIRInstanceID.instanceID().token() != nil else { return }
        FIRMessaging.messaging().disconnect()
        FIRMessaging.messaging().connect { [told] (error) in
            told.append(error == nil ? "connected" : "not connected")
        }
    }

    func didBecomeActive() { connectToFcm() }

    func didEnterBackground() {
        FIRMessaging.messaging().disconnect()
        told.append("disconnected")
    }

    func applicationReceivedRemoteMessage(_ remoteMessage: FIRMessagingRemoteMessage) {
        told.append("message \(remoteMessage.appData["k"] as? String ?? "-")")
    }

    func subscribe() {
        FIRMessaging.messaging().subscribeToTopic("a")
        FIRMessaging.messaging().unsubscribeFromTopic("b")
        FIRMessaging.messaging().subscribe(toTopic: "/topics/c")
        let answered: FIRMessagingConnectCompletion = { [told] in told.append("connect \($0 == nil)") }
        FIRMessaging.messaging().connect(completion: answered)
        FIRMessaging.messaging().connectWithCompletion(answered)
    }

    func send(messageID: String) {
        FIRMessaging.messaging().sendMessage(
            ["hello": "world"], to: "\(TestPhone.sender)@gcm.googleapis.com", withMessageID: messageID, timeToLive: 60)
        let info: FIRMessagingMessageInfo = FIRMessaging.messaging().appDidReceiveMessage(["gcm.message_id": "1"])
        let status: FIRMessagingMessageStatus = info.status
        told.append("status \(status.rawValue)")
    }
}

/// Values of names that stand alone.
struct FirstEraNames: Equatable {
    var notifications: [String]
    var constants: [String]
    var tokenTypes: [Int]
    var codes: [Int]
}

extension FirstEra {
    @available(*, deprecated)
    func names() -> FirstEraNames {
        let notifications: [NotificationName] = [
            .firInstanceIDTokenRefresh, .FIRMessagingSendSuccess, .FIRMessagingSendError, .FIRMessagingMessagesDeleted,
            kFIRInstanceIDTokenRefreshNotification, FIRMessagingSendSuccessNotification,
            FIRMessagingSendErrorNotification, FIRMessagingMessagesDeletedNotification,
        ]
        return FirstEraNames(
            notifications: notifications.map(\.rawValue),
            constants: [
                kFIRInstanceIDScopeFirebaseMessaging, MessagingSendSuccessNotification, MessagingSendErrorNotification,
                MessagingMessagesDeletedNotification, MessagingConnectionStateChangedNotification,
                MessagingRegistrationTokenRefreshedNotification, InstanceIDTokenRefreshNotification,
            ],
            tokenTypes: [FIRInstanceIDAPNSTokenType.Unknown, .Sandbox, .Prod].map(\.rawValue)
                + [FIRMessagingAPNSTokenType.unknown, .sandbox, .prod].map(\.rawValue),
            codes: [FIRMessagingError.invalidRequest.rawValue, FIRInstanceIDError.network.rawValue])
    }

    /// Configures an app with the options of that time, and says whether each way leads to it.
    @available(*, deprecated)
    func configure(_ name: String?) -> Bool {
        let options = FIROptions(
            googleAppID: TestPhone.appID, bundleID: TestPhone.bundleID, gcmSenderID: TestPhone.sender,
            apiKey: TestPhone.apiKey, clientID: nil, trackingID: "UA-1", androidClientID: "a", databaseURL: nil,
            storageBucket: nil, deepLinkURLScheme: "app")
        FIRConfiguration.shared.setLoggerLevel(FIRLoggerLevel.error)
        guard let name else {
            FIRApp.configure(with: options)
            return FIRApp.defaultApp() === FirebaseApp.app() && FIRApp.defaultApp()?.options.trackingID == "UA-1"
        }
        FIRApp.configure(withName: name, options: options)
        let app = FIRApp.app(name: name)
        let configured = app?.options
        guard configured?.androidClientID == "a", configured?.deepLinkURLScheme == "app" else { return false }
        var wasDeleted = false
        let deleted: FIRAppVoidBoolCallback = { wasDeleted = $0 }
        app?.deleteApp(deleted)
        return wasDeleted && FIRApp.app(name: name) == nil && FIROptions.default() == nil
    }
}
