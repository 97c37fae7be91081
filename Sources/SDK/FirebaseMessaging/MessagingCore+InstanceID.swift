import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What the Instance ID library asks messaging for: tokens of any entity and scope, and the end of the instance.
extension Messaging {
    /// - Parameters:
    ///   - deviceToken: `nil` for the one that messaging has. Without any, messages reach the token over the direct
    ///     channel only.
    ///   - isSandbox: `nil` to find out.
    package func instanceToken(
        entity: String, scope: String, deviceToken: Data?, isSandbox: Bool?
    ) async throws -> String {
        let core = try coreForTokens()
        let type: MessagingAPNSTokenType =
            switch isSandbox {
            case true?: .sandbox
            case false?: .prod
            case nil: .unknown
            }
        let given = deviceToken.map { APNSBinding(deviceToken: Array($0), isSandbox: core.isSandbox(type)) }
        let key = TokenRecord.Key(sender: entity, scope: scope)
        return try await core.service.registration(key, boundTo: given ?? core.binding).record.token
    }

    /// The token that messaging itself uses. Throws 505 before there is a device token.
    package func defaultToken() async throws -> String {
        let core = try coreForTokens()
        return try await core.token(of: core.service.defaultKey.sender)
    }

    package func deleteInstanceToken(entity: String, scope: String) async throws {
        try await coreForTokens().service.deleteToken(TokenRecord.Key(sender: entity, scope: scope))
    }

    /// Ends the instance here and on the server: its registrations, its check-in and its id. An app that registers by
    /// itself does so again a moment later.
    package func deleteInstance() async throws {
        guard let core else { throw failure }
        try await core.service.deleteEverything()
        try await core.service.installations.delete()
        core.registerAfterDeletion()
    }

    /// Runs work of another product away from the caller, and calls back on main.
    package func perform<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        completion: @escaping (Result<Value, any Error>) -> Void
    ) {
        let callback = MainCallback(completion)
        guard let core else {
            let failure = failure
            return onMain { callback(.failure(failure)) }
        }
        core.platform.executors.start { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            onMain { callback(result) }
        }
    }

    private func coreForTokens() throws(MessagingError) -> MessagingCore {
        guard let core else { throw failure }
        guard core.service.kind == .token else { throw .wrongModeForTokens }
        return core
    }
}

extension MessagingCore {
    static let secondsBetweenDeletionAndRegistration = 0.5

    fileprivate func registerAfterDeletion() {
        guard isAutoInitEnabled, binding != nil, !service.defaultKey.sender.isEmpty else { return }
        let clock = platform.clock
        platform.executors.start { [weak self] in
            guard (try? await clock.sleep(seconds: Self.secondsBetweenDeletionAndRegistration)) != nil else { return }
            self?.registerInBackground()
        }
    }
}
