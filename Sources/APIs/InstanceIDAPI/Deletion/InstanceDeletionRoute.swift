public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel
public import Timekeeping

/// `DELETE /v1/project/{project}/instanceId/{id}`: forgets an app instance and all its registrations. Source: the
/// `instance_id` module of the Admin SDKs.
public struct InstanceDeletionRoute: Sendable {
    private static let operation = GoogleError.Operation(
        service: "console.firebase.google.com", method: "google.firebase.instanceid.DeleteInstanceId")
    private static let permission = "firebase.projects.update"

    private let store: any RegistrationStore
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication
    private let clock: any WallClock

    public init(
        store: any RegistrationStore, projects: any ProjectDirectory, authentication: CallerAuthentication,
        clock: any WallClock
    ) {
        self.store = store
        self.projects = projects
        self.authentication = authentication
        self.clock = clock
    }

    public func add(to router: inout Router) {
        let route = Route("DELETE", "/v1/project/{project}/instanceId/{id}", bodyLimitBytes: 1024) { request in
            do throws(GoogleError) {
                try await delete(request)
                return HTTPResponse(json: [:])
            } catch {
                return error.response
            }
        }
        router.add(route)
    }

    private func delete(_ request: RoutedRequest) async throws(GoogleError) {
        let name = request[parameter: "project"]
        let caller = try authentication.caller(
            of: request.head, for: Self.operation, anyOf: [.cloudPlatform, .firebase, .firebaseMessaging])
        let project = try authentication.require(
            Self.permission, of: caller, in: projects.project(named: name), named: name)
        guard let id = FirebaseInstallationID(request[parameter: "id"]) else {
            throw .invalidField("id", "Malformed instance ID argument.")
        }
        let isGone: Bool
        do {
            let ended = try await store.endRegistrations(
                RegistrationFilter(project: project.number, fid: id.text), at: clock.now())
            isGone = try await store.deleteInstallation(id, in: project.number, at: clock.now()) || ended > 0
        } catch {
            throw GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        }
        guard isGone else { throw GoogleError(.notFound, "Failed to find the instance ID: \(id).") }
    }
}
