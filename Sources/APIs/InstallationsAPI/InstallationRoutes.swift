public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// Firebase Installations API v1: create, generate an auth token, get, delete.
///
/// Source: the calls of the Apple, Android and JavaScript SDKs. Bodies are JSON whatever their content type says.
public struct InstallationRoutes: Sendable {
    private static let bodyLimitBytes = 65_536
    private static let authVersion = "FIS_v2"
    /// An app that had an Instance ID before shows its token here.
    private static let migrationHeaders = [
        "x-goog-fis-ios-iid-migration-auth", "x-goog-fis-android-iid-migration-auth",
    ]

    private let installations: InstallationService
    private let directory: any ProjectDirectory
    private let clients: ClientAuthentication

    public init(installations: InstallationService, directory: any ProjectDirectory) {
        self.installations = installations
        self.directory = directory
        clients = ClientAuthentication(directory: directory, service: "firebaseinstallations.googleapis.com")
    }

    /// The routes; Apple's SDK adds a slash to the paths.
    public var router: Router {
        var router = Router()
        add(to: &router, "POST", "/v1/projects/{project}/installations[/]", create)
        add(to: &router, "POST", "/v1/projects/{project}/installations/{fid}/authTokens:generate[/]", generate)
        add(to: &router, "GET", "/v1/projects/{project}/installations/{fid}[/]", show)
        add(to: &router, "DELETE", "/v1/projects/{project}/installations/{fid}[/]", delete)
        return router
    }

    private func add(
        to router: inout Router, _ method: String, _ pattern: PathPattern,
        _ action: @escaping @Sendable (RoutedRequest, Project) async throws(GoogleError) -> JSONValue
    ) {
        let route = Route(
            method, pattern, bodyLimitBytes: Self.bodyLimitBytes, allowsCrossOrigin: true
        ) { [clients] request in
            do throws(GoogleError) {
                let project = try clients.project(named: request[parameter: "project"], in: request.head)
                return HTTPResponse(json: try await action(request, project))
            } catch {
                return error.response
            }
        }
        router.add(route)
    }

    private func create(_ request: RoutedRequest, in project: Project) async throws(GoogleError) -> JSONValue {
        let body = try JSONBody.object(of: request.request)
        let app = try app(named: body[firstOf: "appId", "app_id"], in: project)
        if let version = body[firstOf: "authVersion", "auth_version"], version.string != Self.authVersion {
            throw .invalidField("auth_version", "Invalid value for auth_version: it must be \(Self.authVersion).")
        }
        let grant: InstallationService.Grant
        do {
            grant = try await installations.create(
                wanted: body["fid"]?.string ?? "", app: app,
                sdkVersion: body[firstOf: "sdkVersion", "sdk_version"]?.string ?? "",
                migrated: Self.migrationHeaders.lazy.compactMap { request.head.fields[$0] }.first ?? "")
        } catch {
            throw Self.googleError(error)
        }
        return [
            "name": .string(Self.name(of: grant.installation)),
            "fid": .string(grant.installation.fid.text),
            "refreshToken": .string(grant.refreshToken),
            "authToken": Self.authToken(grant.authToken),
        ]
    }

    private func app(named value: JSONValue?, in project: Project) throws(GoogleError) -> App {
        guard let id = value?.string.flatMap({ AppID($0) }), let app = directory.app(id: id),
            app.project == project.number
        else { throw .invalidField("app_id", "Invalid value for app_id: the project has no such app.") }
        return app
    }

    private func generate(_ request: RoutedRequest, in project: Project) async throws(GoogleError) -> JSONValue {
        let token = try refreshToken(request)
        do {
            return Self.authToken(
                try installations.renew(fid: request[parameter: "fid"], in: project.number, refreshToken: token))
        } catch {
            throw Self.googleError(error)
        }
    }

    private func show(_ request: RoutedRequest, in project: Project) async throws(GoogleError) -> JSONValue {
        let token = try refreshToken(request)
        do {
            let found = try installations.proven(
                fid: request[parameter: "fid"], in: project.number, refreshToken: token)
            return [
                "name": .string(Self.name(of: found)), "fid": .string(found.fid.text),
                "appId": .string(found.app.text), "sdkVersion": .string(found.sdkVersion),
            ]
        } catch {
            throw Self.googleError(error)
        }
    }

    private func delete(_ request: RoutedRequest, in project: Project) async throws(GoogleError) -> JSONValue {
        let token = try refreshToken(request)
        do {
            try await installations.delete(
                fid: request[parameter: "fid"], in: project.number, refreshToken: token)
        } catch {
            throw Self.googleError(error)
        }
        return [:]
    }

    private func refreshToken(_ request: RoutedRequest) throws(GoogleError) -> String {
        let token = RequestCredentials.authorization(in: request.head, scheme: Self.authVersion)
        guard let token, !token.isEmpty else {
            throw .credentialsMissing(
                GoogleError.Operation(
                    service: "firebaseinstallations.googleapis.com",
                    method: "google.firebase.installations.v1.InstallationsService"))
        }
        return token
    }

    private static func name(of installation: Installation) -> String {
        "projects/\(installation.project)/installations/\(installation.fid)"
    }

    private static func authToken(_ token: String) -> JSONValue {
        ["token": .string(token), "expiresIn": .string("\(InstallationTokenCodec.lifetimeSeconds)s")]
    }

    private static func googleError(_ refusal: InstallationService.Refusal) -> GoogleError {
        switch refusal {
        case .notFound: GoogleError(.notFound, "Requested entity was not found.")
        case .wrongRefreshToken:
            GoogleError(.unauthenticated, "The refresh token is not that of the installation.")
        case .inUse: GoogleError(.alreadyExists, "The FID is in use by another app instance.")
        case .takenByOtherApp: GoogleError(.alreadyExists, "Another app of the project has this installation ID.")
        case .unavailable: GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        }
    }
}
