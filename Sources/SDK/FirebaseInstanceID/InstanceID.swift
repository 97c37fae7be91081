package import FirebaseCore
import FirebaseInstallations
import FirebaseMessaging

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The identity and the tokens of this app on this device, as apps of 2016 to 2020 ask for them.
///
/// It works over the same core as `Messaging` and `Installations`: the id is the installation id, and the default token
/// is messaging's. Handlers are called on main.
@available(*, deprecated, message: "Use Messaging for tokens and Installations for the id.")
public final class InstanceID: Sendable {
    let messaging: Messaging
    let installations: Installations

    package init(app: FirebaseApp) {
        messaging = app.component(Messaging.self)
        installations = Installations.installations(app: app)
    }

    private init() {
        messaging = Messaging.messaging()
        installations = Installations.installations()
    }

    /// The instance of the default app. Without one, every call ends with an error that says why.
    public static func instanceID() -> InstanceID {
        FirebaseApp.app()?.component(InstanceID.self) ?? InstanceID()
    }
}

@available(*, deprecated)
extension InstanceID: FirebaseComponent {
    package func appDeleted() {}
}

@available(*, deprecated)
extension InstanceID {
    /// The id. A new one is given before the server knows it; a request for the default token starts too.
    public func getID(handler: @escaping InstanceIDHandler) {
        installations.installationID(completion: handler)
        _ = token()
    }

    /// Ends the instance, here and on the server: its tokens and its id. An app that registers by itself gets new ones
    /// half a second later.
    public func deleteID(handler: @escaping InstanceIDDeleteHandler) {
        messaging.perform { [messaging] in
            try await Self.translatingErrors { try await messaging.deleteInstance() }
        } completion: {
            handler($0.error)
        }
    }

    /// The id and the default token.
    public func instanceID(handler: @escaping InstanceIDResultHandler) {
        messaging.perform { [messaging, installations] in
            let id = try await installations.installationID()
            let token = try await Self.translatingErrors { try await messaging.defaultToken() }
            return InstanceIDResult(instanceID: id, token: token)
        } completion: {
            handler($0.value, $0.error)
        }
    }

    /// Sets the APNs device token with its environment.
    @available(*, deprecated, message: "Use Messaging.setAPNSToken(_:type:) instead.")
    public func setAPNSToken(_ token: Data, type: InstanceIDAPNSTokenType) {
        messaging.setAPNSToken(token, type: MessagingAPNSTokenType(rawValue: type.rawValue) ?? .unknown)
    }
}

extension Result {
    var value: Success? { if case .success(let value) = self { value } else { nil } }
    var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}
