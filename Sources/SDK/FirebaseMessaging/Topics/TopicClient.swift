import FirebaseCore
import FirebaseInstallations
import FirebasePlatform

/// Carries out one topic operation.
struct TopicClient: Sendable {
    let app: FirebaseApp
    let service: RegistrationService

    /// - Parameter registration: The registration token, or the installation id when the app registers with that.
    /// - Throws: `WebError` when no answer came: then it is worth another try. Any other error is final.
    func perform(_ action: TopicAction, _ topic: TopicName, registration: String) async throws {
        switch service.kind {
        case .token: try await perform(action, topic, token: registration)
        case .installationID: try await perform(action, topic, installationID: registration)
        }
    }

    private func perform(_ action: TopicAction, _ topic: TopicName, token: String) async throws {
        let info = app.platform.appInfo
        let requests = TokenTopicRequests(
            url: app.endpoints.topics, bundleID: info.appBundleID, appVersion: info.shortVersion)
        let request = requests.request(action, topic, token: token, checkIn: try await checkIn())
        try TokenTopicRequests.check(try await app.platform.transport.send(request))
    }

    /// A check-in that cannot be had for now is no error of the call yet.
    private func checkIn() async throws -> CheckIn {
        do {
            return try await service.checkIns.checkIn().get()
        } catch let error as WebError {
            throw error
        } catch {
            throw MessagingError(.missingDeviceID, reason: "The device could not check in: \(error)")
        }
    }

    private func perform(_ action: TopicAction, _ topic: TopicName, installationID: String) async throws {
        guard !installationID.isEmpty else { throw MessagingError(.missingInstallationID) }
        let options = app.optionsValues
        guard let project = options.projectPathSegment, let apiKey = options.apiKey else {
            throw MessagingError(.unknown, reason: "PROJECT_ID or API_KEY is missing.")
        }
        let requests = InstallationTopicRequests(
            baseURL: app.endpoints.registrations, project: project, apiKey: apiKey)
        func send(forcingRefresh: Bool) async throws -> WebResponse {
            let auth = try await service.installations.authTokenText(forcingRefresh: forcingRefresh).get()
            guard !auth.isEmpty else { throw MessagingError(.missingInstallationsAuth) }
            return try await app.platform.transport.send(
                requests.request(action, topic, installationID: installationID, installationsAuth: auth))
        }
        var response = try await send(forcingRefresh: false)
        // An auth token that was not accepted is renewed once.
        if response.status == 401 { response = try await send(forcingRefresh: true) }
        try InstallationTopicRequests.check(response)
    }
}
