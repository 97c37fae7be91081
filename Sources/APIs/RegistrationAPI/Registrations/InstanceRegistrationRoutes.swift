public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
public import PushModel

/// FCM registration API v1: register by FID, renew, unregister.
///
/// Source: the calls of the Apple and JavaScript SDKs. A token in a path contains `:`; the whole rest of the path is the
/// id. Ours is `Authorization: AidLogin`, with which an app names the device of its direct channel.
public struct InstanceRegistrationRoutes: Sendable {
    private static let bodyLimitBytes = 65_536
    private let registrar: InstanceRegistrar
    private let callers: InstanceCallers
    private let registered: @Sendable (Registration) -> Void

    /// - Parameter registered: Hears each registration, so that what waits for it can go out.
    public init(
        registrar: InstanceRegistrar, directory: any ProjectDirectory,
        registered: @escaping @Sendable (Registration) -> Void = { _ in }
    ) {
        self.registrar = registrar
        self.registered = registered
        callers = InstanceCallers(registrar: registrar, directory: directory)
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
                return HTTPResponse(json: try await action(request, try callers.proof(of: request)))
            } catch {
                return error.response
            }
        }
        router.add(route)
    }

    private func create(_ request: RoutedRequest, by proof: InstallationProof) async throws(GoogleError) -> JSONValue {
        let body = try RegistrationBody(try JSONBody.object(of: request.request))
        let result: (registration: Registration, token: String)
        do {
            result = try await registrar.register(
                body.form, by: proof, of: AidLogin(request.head.fields["authorization"])?.device,
                appVersion: body.appVersion, sdkVersion: body.sdkVersion,
                locale: DeviceLocale(locale: request.head.fields["accept-language"], timeZone: nil))
        } catch {
            throw GoogleError(error)
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
            throw GoogleError(error)
        }
        return try await create(request, by: proof)
    }

    private func delete(_ request: RoutedRequest, by proof: InstallationProof) async throws(GoogleError) -> JSONValue {
        do {
            try await registrar.unregister(request[parameter: "id"], by: proof)
        } catch {
            throw GoogleError(error)
        }
        return [:]
    }
}
