import FirebaseCore
import FirebasePlatform
import Synchronization

/// Talks to the Installations API: sends, retries once, backs off, and reads the replies.
final class InstallationsClient: Sendable {
    /// Why a call gave nothing.
    enum Failure: Error {
        /// The server does not know the installation or its refresh token any more.
        case installationIsGone
        /// Another device has the id already.
        case idIsTaken
        case error(InstallationsErrorCode)
    }

    private let app: FirebaseApp
    private let platform: Platform
    private let backoff = Mutex(InstallationsBackoff())

    init(app: FirebaseApp) {
        self.app = app
        platform = app.platform
    }

    /// - Parameter mayBeTaken: Whether the caller has another id to offer.
    func create(_ item: InstallationsItem, mayBeTaken: Bool) async throws(Failure) -> InstallationsItem {
        let body = try await backingOff(takenStatuses: mayBeTaken ? [409] : []) {
            $0.create(item, heartbeats: self.app.heartbeats.takePayload())
        }
        return try read { () throws(InstallationsErrorCode) in
            try InstallationsReplies.created(body, for: item, at: platform.clock.now())
        }
    }

    func generateAuthToken(_ item: InstallationsItem) async throws(Failure) -> InstallationsItem.AuthToken {
        let body = try await backingOff(goneStatuses: [401, 404]) {
            $0.generateAuthToken(item, heartbeats: self.app.heartbeats.takePayload())
        }
        return try read { () throws(InstallationsErrorCode) in
            try InstallationsReplies.authToken(body, at: platform.clock.now())
        }
    }

    /// An installation that the server does not know is deleted already.
    func delete(_ item: InstallationsItem) async throws(Failure) {
        let response = try await sendRetryingOnce(try requests().delete(item))
        guard (200..<300).contains(response.status) || response.status == 404 || response.status == 401 else {
            throw .error(Self.error(for: response.status))
        }
    }

    private func read<Value>(_ parse: () throws(InstallationsErrorCode) -> Value) throws(Failure) -> Value {
        do {
            return try parse()
        } catch {
            throw .error(error)
        }
    }

    private func backingOff(
        goneStatuses: Set<Int> = [], takenStatuses: Set<Int> = [], _ make: (InstallationsRequests) -> WebRequest
    ) async throws(Failure) -> [UInt8] {
        guard backoff.withLock({ $0.allowsRequest(at: platform.clock.now()) }) else {
            throw .error(
                InstallationsErrorCode(.serverUnreachable, reason: "Too many requests: waiting before the next."))
        }
        let response = try await sendRetryingOnce(make(try requests()))
        switch response.status {
        case 200..<300:
            backoff.withLock { $0.succeeded() }
            return response.body
        case let status where goneStatuses.contains(status):
            throw .installationIsGone
        case let status where takenStatuses.contains(status):
            throw .idIsTaken
        default:
            let failure: InstallationsBackoff.Failure =
                [400, 403].contains(response.status) ? .configuration : .recoverable
            let jitter = platform.random.integer(below: 1000)
            backoff.withLock { $0.failed(failure, at: platform.clock.now(), jitterMilliseconds: jitter) }
            app.log.error("I-FIS003002", "The Installations API answered \(response.status).")
            throw .error(Self.error(for: response.status))
        }
    }

    /// A 500 gets a second chance after a second.
    private func sendRetryingOnce(_ request: WebRequest) async throws(Failure) -> WebResponse {
        let response = try await send(request)
        guard response.status == 500 else { return response }
        do {
            try await platform.clock.sleep(seconds: 1)
        } catch {
            throw .error(InstallationsErrorCode(.serverUnreachable, reason: "Cancelled."))
        }
        return try await send(request)
    }

    private func send(_ request: WebRequest) async throws(Failure) -> WebResponse {
        do {
            return try await platform.transport.send(request)
        } catch {
            throw .error(InstallationsErrorCode(.serverUnreachable, reason: "No answer: \(error)"))
        }
    }

    private func requests() throws(Failure) -> InstallationsRequests {
        let options = app.optionsValues
        guard let project = options.projectPathSegment, let apiKey = options.apiKey else {
            throw .error(
                InstallationsErrorCode(.invalidConfiguration, reason: "PROJECT_ID and GCM_SENDER_ID are missing."))
        }
        return InstallationsRequests(
            baseURL: app.endpoints.installations, project: project, appID: options.googleAppID, apiKey: apiKey,
            bundleID: platform.appInfo.bundleID)
    }

    private static func error(for status: Int) -> InstallationsErrorCode {
        let code: InstallationsErrorCode.Code =
            switch status {
            case 400, 403: .invalidConfiguration
            case 429, 500...599: .serverUnreachable
            default: .unknown
            }
        return InstallationsErrorCode(code, reason: "The server answered with status \(status).")
    }
}
