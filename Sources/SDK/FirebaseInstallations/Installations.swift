public import FirebaseCore
package import FirebasePlatform

/// The identity of this app on this device: an id that Firebase services know, and tokens that prove it.
///
/// Completions arrive on the main executor.
public final class Installations: Sendable {
    /// `nil` for an object without a configured app: then `failure` answers every call.
    private let controller: InstallationsController?
    private let failure: InstallationsErrorCode
    private let executors: Executors?

    package init(app: FirebaseApp) {
        controller = InstallationsController(app: app)
        failure = InstallationsErrorCode(.unknown)
        executors = app.platform.executors
        self.app = WeakApp(app)
    }

    private let app: WeakApp

    private init(unconfiguredIn container: FirebaseContainer?) {
        controller = nil
        failure = InstallationsErrorCode(
            .invalidConfiguration,
            reason: container?.configurationFailure?.message ?? "Call FirebaseApp.configure() first.")
        executors = container?.platform.executors
        app = WeakApp(nil)
    }

    /// The installations object of the default app. Without one, every call ends with an error that says why.
    public static func installations() -> Installations {
        FirebaseApp.app().map(installations(app:)) ?? Installations(unconfiguredIn: FirebaseContainer.current)
    }

    public static func installations(app: FirebaseApp) -> Installations {
        app.component(Installations.self)
    }
}

extension Installations: FirebaseComponent {
    package func appDeleted() {
        controller?.close()
    }
}

extension Installations {
    /// The installation id. A new one is given before the server knows it.
    public func installationID(completion: @escaping (String?, (any Error)?) -> Void) {
        deliver(currentID(), to: completion)
    }

    public func installationID() async throws -> String {
        try currentID().get()
    }

    /// An auth token with at least an hour left.
    public func authToken(completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void) {
        authTokenForcingRefresh(false, completion: completion)
    }

    public func authToken() async throws -> InstallationsAuthTokenResult {
        try await authTokenForcingRefresh(false)
    }

    public func authTokenForcingRefresh(
        _ forceRefresh: Bool, completion: @escaping (InstallationsAuthTokenResult?, (any Error)?) -> Void
    ) {
        guard let controller, let executors else { return deliver(.failure(failure), to: completion) }
        let callback = MainCallback<Result<InstallationsAuthTokenResult, InstallationsErrorCode>> { result in
            Self.call(completion, with: result)
        }
        executors.start { [self] in
            let result = await controller.authToken(forcingRefresh: forceRefresh).map(Self.publicResult)
            onMain { callback(result) }
        }
    }

    public func authTokenForcingRefresh(_ forceRefresh: Bool) async throws -> InstallationsAuthTokenResult {
        guard let controller else { throw failure }
        return Self.publicResult(try await controller.authToken(forcingRefresh: forceRefresh).get())
    }

    /// Deletes the installation on the server and here. The next call makes a new one.
    public func delete(completion: @escaping ((any Error)?) -> Void) {
        guard let controller, let executors else {
            let failure = failure
            let callback = MainCallback(completion)
            return onMain { callback(failure) }
        }
        let callback = MainCallback(completion)
        executors.start { [self] in
            let result = await controller.delete()
            onMain { callback(result.failure) }
        }
    }

    public func delete() async throws {
        guard let controller else { throw failure }
        try await controller.delete().get()
    }
}

extension Installations {
    /// The id now, made when there is none.
    package func currentID() -> Result<String, InstallationsErrorCode> {
        guard let controller else { return .failure(failure) }
        do {
            return .success(try controller.installationID())
        } catch {
            return .failure(error)
        }
    }

    /// An auth token for a request of another product.
    package func authTokenText(forcingRefresh: Bool) async -> Result<String, InstallationsErrorCode> {
        guard let controller else { return .failure(failure) }
        return await controller.authToken(forcingRefresh: forcingRefresh).map(\.token)
    }

    package func observeIDChanges(_ handler: @escaping @Sendable () -> Void) -> Observation? {
        controller?.idChanges.add { _ in handler() }
    }

    private func deliver<Value: Sendable>(
        _ result: Result<Value, InstallationsErrorCode>, to completion: @escaping (Value?, (any Error)?) -> Void
    ) {
        let callback = MainCallback<Result<Value, InstallationsErrorCode>> { Self.call(completion, with: $0) }
        onMain { callback(result) }
    }

    private static func call<Value>(
        _ completion: (Value?, (any Error)?) -> Void, with result: Result<Value, InstallationsErrorCode>
    ) {
        switch result {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
    }

    private static func publicResult(_ token: InstallationsItem.AuthToken) -> InstallationsAuthTokenResult {
        InstallationsAuthTokenResult(authToken: token.token, expirationDate: token.expirationDate)
    }

    private func onMain(_ work: @escaping @Sendable () -> Void) {
        if let app = app.value {
            app.onMain(work)
        } else if let executors {
            executors.main.enqueue(work)
        } else {
            work()
        }
    }
}

private struct WeakApp: Sendable {
    weak let value: FirebaseApp?
    init(_ value: FirebaseApp?) { self.value = value }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
