public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
public import PushModel

/// FCM registration API v1: register by FID, renew, unregister.
///
/// Source: the calls of the Apple and JavaScript SDKs. A token in a path contains `:`; the whole rest of the path is the
/// id.
public struct InstanceRegistrationRoutes: Sendable {
    private static let bodyLimitBytes = 65_536
    private static let operation = GoogleError.Operation(
        service: "fcmregistrations.googleapis.com", method: "google.firebase.fcmregistrations.v1.RegistrationService")

    private let registrar: InstanceRegistrar
    private let clients: ClientAuthentication
    private let registered: @Sendable (Registration) -> Void

    /// - Parameter registered: Hears each registration, so that what waits for it can go out.
    public init(
        registrar: InstanceRegistrar, directory: any ProjectDirectory,
        registered: @escaping @Sendable (Registration) -> Void = { _ in }
    ) {
        self.registrar = registrar
        self.registered = registered
        clients = ClientAuthentication(directory: directory, service: "fcmregistrations.googleapis.com")
    }

    public var router: Router {
        var router = Router()
        add(to: &router, "POST", "/v1/projects/{project}/registrations[/]", create)
        add(to: &router, "PATCH", "/v1/projects/{project}/registrations/{id...}", update)
        add(to: &router, "DELETE", "/v1/projects/{project}/registrations/{id...}", delete)
        return router
    }

    private func add(
        to router: inout Router, _ method: String, _ pattern: PathPattern,
        _ action: @escaping @Sendable (RoutedRequest, InstallationProof) async throws(GoogleError) -> JSONValue
    ) {
        let route = Route(
            method, pattern, bodyLimitBytes: Self.bodyLimitBytes, allowsCrossOrigin: true
        ) { request in
            do throws(GoogleError) {
                return HTTPResponse(json: try await action(request, try proof(request)))
            } catch {
                return error.response
            }
        }
        router.add(route)
    }

    /// Who calls: the JavaScript SDK writes `FIS <token>`, everybody else the bare token.
    private func proof(_ request: RoutedRequest) throws(GoogleError) -> InstallationProof {
        let project = try clients.project(named: request[parameter: "project"], in: request.head)
        var token = request.head.fields["x-goog-firebase-installations-auth"] ?? ""
        if token.hasPrefix("FIS ") { token.removeFirst(4) }
        guard !token.isEmpty else { throw .credentialsMissing(Self.operation) }
        do {
            return try registrar.proof(token, in: project.number)
        } catch {
            throw Self.googleError(error)
        }
    }

    private func create(_ request: RoutedRequest, by proof: InstallationProof) async throws(GoogleError) -> JSONValue {
        let body = try RegistrationBody(try JSONBody.object(of: request.request))
        let result: (registration: Registration, token: String)
        do {
            result = try await registrar.register(
                body.form, by: proof, appVersion: body.appVersion, sdkVersion: body.sdkVersion)
        } catch {
            throw Self.googleError(error)
        }
        registered(result.registration)
        return [
            "name": .string("projects/\(proof.project)/registrations/\(proof.fid)"),
            "token": .string(result.token),
            body.echo.name: .object(body.echo.value),
        ]
    }

    private func update(_ request: RoutedRequest, by proof: InstallationProof) async throws(GoogleError) -> JSONValue {
        do {
            try registrar.checkOwner(of: request[parameter: "id"], by: proof)
        } catch {
            throw Self.googleError(error)
        }
        return try await create(request, by: proof)
    }

    private func delete(_ request: RoutedRequest, by proof: InstallationProof) async throws(GoogleError) -> JSONValue {
        do {
            try await registrar.unregister(request[parameter: "id"], by: proof)
        } catch {
            throw Self.googleError(error)
        }
        return [:]
    }

    private static func googleError(_ refusal: InstanceRegistrar.Refusal) -> GoogleError {
        switch refusal {
        case .unauthenticated: .credentialsInvalid(operation)
        case .otherInstallation:
            GoogleError(.permissionDenied, "The installation auth token belongs to another installation.")
        case .notFound: GoogleError(.notFound, "Requested entity was not found.")
        case .wrongBundle: .invalidField("ios.bundle_id", "Invalid value for bundle_id: it is not the app's.")
        case .unknownEndpoint:
            .invalidField("web.endpoint", "Invalid value for endpoint: no live push subscription has it.")
        case .unavailable: GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        }
    }
}
