import Firebase
import FirebasePlatform
import Foundation

/// What a test does with names that no app of the other tests calls. They are deprecated: this protocol stands between.
protocol OlderNames: Sendable {
    func notifications() -> [String]
    func apps(named name: String) -> Bool
    func useInstanceID(of sender: String, told: Record<String>)
    func useHandlers(told: Record<String>)
    func delegatePreference() -> [Bool]
    func siteKey(_ key: String) -> String?
}

struct RemainingNames: OlderNames {
    @available(*, deprecated)
    func notifications() -> [String] {
        let names: [NotificationName] = [
            .FIRMessagingConnectionStateChanged, .FIRMessagingRegistrationTokenRefreshed,
            FIRMessagingConnectionStateChangedNotification, FIRMessagingRegistrationTokenRefreshedNotification,
            kFIRMessagingRegistrationTokenRefreshNotification, .messagingInstallationIdUnregistered,
        ]
        return names.map(\.rawValue)
    }

    /// Whether the initialiser of 2016 gives the app that is there.
    @available(*, deprecated)
    func apps(named name: String) -> Bool {
        guard let app = FIRApp(named: name) else { return false }
        return app === FIRApp.app(name: name) && Self.isThere(name, among: FirebaseApp.self)
    }

    private static func isThere<App: AppFoundByName>(_ name: String, among apps: App.Type) -> Bool {
        apps.app(name: name) != nil
    }

    /// Swift 2 spelled the calls after Objective-C.
    @available(*, deprecated)
    func useInstanceID(of sender: String, told: Record<String>) {
        let instance = FIRInstanceID.instanceID()
        let gotID: FIRInstanceIDHandler = { id, _ in told.append("id \(id != nil)") }
        let gotToken: FIRInstanceIDTokenHandler = { token, _ in told.append("token \(token != nil)") }
        let deletedToken: FIRInstanceIDDeleteTokenHandler = { told.append("token deleted \($0 == nil)") }
        let deletedID: FIRInstanceIDDeleteHandler = { told.append("id deleted \($0 == nil)") }
        instance.getIDWithHandler(gotID)
        instance.tokenWithAuthorizedEntity(sender, scope: "*", options: nil, handler: gotToken)
        instance.deleteTokenWithAuthorizedEntity(sender, scope: "*", handler: deletedToken)
        instance.deleteIDWithHandler(deletedID)
    }

    /// The names of closure types.
    @available(*, deprecated)
    func useHandlers(told: Record<String>) {
        let result: InstanceIDResultHandler = { result, _ in told.append("result \(result != nil)") }
        let id: InstanceIDHandler = { id, _ in told.append("id \(id != nil)") }
        let token: InstanceIDTokenHandler = { token, _ in told.append("token \(token != nil)") }
        let deletedToken: InstanceIDDeleteTokenHandler = { told.append("token deleted \($0 == nil)") }
        let deleted: InstanceIDDeleteHandler = { told.append("deleted \($0 == nil)") }
        let fetched: MessagingFCMTokenFetchCompletion = { token, _ in told.append("fetched \(token != nil)") }
        let gone: MessagingDeleteFCMTokenCompletion = { told.append("gone \($0 == nil)") }
        let topic: FIRMessagingTopicOperationCompletion = { told.append("topic \($0 == nil)") }
        let connected: MessagingConnectCompletion = { told.append("connected \($0 == nil)") }
        InstanceID.instanceID().instanceID(handler: result)
        id(nil, nil)
        token(nil, nil)
        deletedToken(nil)
        deleted(nil)
        Messaging.messaging().token(completion: fetched)
        Messaging.messaging().subscribe(toTopic: "a", completion: topic)
        Messaging.messaging().deleteToken(completion: gone)
        connected(nil)
    }

    /// The flag of the systems before iOS 10: by itself, and once set.
    @available(*, deprecated)
    func delegatePreference() -> [Bool] {
        let before = Messaging.messaging().useMessagingDelegateForDirectChannel
        Messaging.messaging().useMessagingDelegateForDirectChannel = true
        return [before, Messaging.messaging().useMessagingDelegateForDirectChannel]
    }

    @available(*, deprecated)
    func siteKey(_ key: String) -> String? {
        let options = FirebaseOptions(googleAppID: "1:1:ios:a", gcmSenderID: "1")
        options.recaptchaSiteKey = key
        return options.recaptchaSiteKey
    }

    static let names: any OlderNames = RemainingNames()
}
