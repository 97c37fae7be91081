import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

/// Registers the installation id with the server, and unregisters it.
struct InstallationRegistrar: Sendable {
    static let maximumRetries = 10

    let app: FirebaseApp
    let installations: Installations

    /// - Returns: The id that is registered.
    func register(_ apns: APNSBinding, device: CheckInCredentials?) async throws -> String {
        let response = try await send { requests, auth in
            requests.register(apns, device: device, installationsAuth: auth)
        }
        let registered = try RegistrationReply.registeredID(response)
        guard registered == (try installations.currentID().get()) else {
            throw MessagingError(.unknown, reason: "The server registered another installation.")
        }
        return registered
    }

    /// A registration that the server does not know is gone already.
    func unregister(_ installationID: String) async throws {
        guard !installationID.isEmpty else { throw MessagingError(.missingInstallationID) }
        let response = try await send { requests, auth in
            requests.unregister(installationID, installationsAuth: auth)
        }
        guard response.status == 200 || response.status == 404 else { throw RegistrationReply.failure(response) }
    }

    /// Sends, and sends again when no answer comes or the server has trouble; a refused auth token is renewed once.
    private func send(_ make: (RegistrationRequests, String) -> WebRequest) async throws -> WebResponse {
        let requests = try requests
        var auth = try await authToken(forcingRefresh: false)
        var renewed = false
        var retries = 0
        while true {
            let result = await outcome(of: make(requests, auth))
            switch result {
            case .success(let response) where response.status == 401 && !renewed:
                renewed = true
                auth = try await authToken(forcingRefresh: true)
            case .success(let response) where response.status < 500: return response
            case .failure(.cancelled): throw WebError.cancelled
            case _ where retries >= Self.maximumRetries: return try result.get()
            case .success, .failure:
                try await app.platform.clock.sleep(seconds: Double(1 << retries))
                retries += 1
            }
        }
    }

    private func outcome(of request: WebRequest) async -> Result<WebResponse, WebError> {
        do {
            return .success(try await app.platform.transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func authToken(forcingRefresh: Bool) async throws -> String {
        let auth = try await installations.authTokenText(forcingRefresh: forcingRefresh).get()
        guard !auth.isEmpty else { throw MessagingError(.missingInstallationsAuth) }
        return auth
    }

    private var requests: RegistrationRequests {
        get throws {
            let options = app.optionsValues
            guard let project = options.projectPathSegment, let apiKey = options.apiKey else {
                throw MessagingError(.unknown, reason: "PROJECT_ID or API_KEY is missing.")
            }
            return RegistrationRequests(
                baseURL: app.endpoints.registrations, project: project, apiKey: apiKey,
                bundleID: app.platform.appInfo.appBundleID, appVersion: app.platform.appInfo.shortVersion)
        }
    }
}
