import FirebaseMessaging
import FirebasePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The scope of tokens for messages over APNs.
// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, message: "Use Messaging.retrieveFCMToken(forSenderID:completion:) instead.")
public let InstanceIDScopeFirebaseMessaging = "fcm"

@available(*, deprecated)
extension InstanceID {
    /// The default token, if there is one. Else a request for it starts, and a notification tells when it is there.
    public func token() -> String? { messaging.fcmToken }

    /// A token of any sender and scope: the stored one if it is fresh, else a new one from the server.
    ///
    /// - Parameters:
    ///   - authorizedEntity: The sender id.
    ///   - scope: `*`, or `fcm` in any case, which needs the option `apns_token`.
    ///   - options: `apns_token` is the APNs device token as `Data`; `apns_sandbox` says which environment it is of, and
    ///     is found out when absent. Others are ignored.
    public func token(
        withAuthorizedEntity authorizedEntity: String, scope: String, options: [AnyHashable: Any]? = nil,
        handler: @escaping InstanceIDTokenHandler
    ) {
        let request = Result { () throws(InstanceIDError) in
            try InstanceTokenRequest(entity: authorizedEntity, scope: scope, options: options ?? [:])
        }
        messaging.perform { [messaging] in
            let request = try request.get()
            return try await Self.translatingErrors {
                try await messaging.instanceToken(
                    entity: request.entity, scope: request.scope, deviceToken: request.deviceToken,
                    isSandbox: request.isSandbox)
            }
        } completion: {
            handler($0.value, $0.error)
        }
    }

    /// Deletes a token, here and on the server.
    public func deleteToken(
        withAuthorizedEntity authorizedEntity: String, scope: String, handler: @escaping InstanceIDDeleteTokenHandler
    ) {
        let key = Result { () throws(InstanceIDError) in
            try InstanceTokenRequest.key(entity: authorizedEntity, scope: scope)
        }
        messaging.perform { [messaging] in
            let (entity, scope) = try key.get()
            try await Self.translatingErrors { try await messaging.deleteInstanceToken(entity: entity, scope: scope) }
        } completion: {
            handler($0.error)
        }
    }

    static func translatingErrors<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as MessagingError {
            throw InstanceIDError(error)
        }
    }
}

/// What the app asks for, checked.
private struct InstanceTokenRequest: Sendable {
    var entity: String
    var scope: String
    var deviceToken: Data?
    var isSandbox: Bool?

    init(entity: String, scope: String, options: [AnyHashable: Any]) throws(InstanceIDError) {
        (self.entity, self.scope) = try Self.key(entity: entity, scope: scope)
        if let value = options["apns_token"] {
            guard let token = value as? Data, !token.isEmpty else { throw .wrongDeviceToken }
            deviceToken = token
        } else if self.scope == "fcm" {
            throw .missingDeviceToken
        }
        isSandbox = options["apns_sandbox"].flatMap(PayloadValue.init(any:))?.isTrue
    }

    static func key(entity: String, scope: String) throws(InstanceIDError) -> (entity: String, scope: String) {
        guard !entity.isEmpty else { throw .missingEntity }
        guard !scope.isEmpty else { throw .missingScope }
        return (entity, scope.lowercased() == "fcm" ? "fcm" : scope)
    }
}
