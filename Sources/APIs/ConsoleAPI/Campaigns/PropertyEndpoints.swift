import Accounts
public import Campaigns
public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// Custom properties of app instances, by which segments tell them apart.
struct PropertyEndpoints: Sendable {
    private static let path = "projects/{project}/devices/{registration}/properties"
    private static let schema = ConsoleSchema.map(
        .nullable(.anyOf([.text(upTo: PropertyLimits.valueBytes), .number, .flag])),
        maximumMembers: PropertyLimits.perInstance)

    let campaigns: CampaignService
    let devices: DeviceNames

    var endpoints: [ConsoleEndpoint] {
        [
            ConsoleEndpoint(
                "device.getProperties", "GET", Self.path, "Shows the custom properties of an app instance.",
                access: .project(.viewer), answer: .json(.map(.text(), maximumMembers: PropertyLimits.perInstance)),
                handler: show),
            ConsoleEndpoint(
                "device.setProperties", "PUT", Self.path,
                "Sets the named custom properties of an app instance; null takes one away.",
                access: .project(.editor), body: Self.schema,
                answer: .json(.map(.text(), maximumMembers: PropertyLimits.perInstance)), handler: set),
        ]
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let registration = try await devices.registration(request[path: "registration"], in: request.project.number)
        let properties = try await asked { () throws(CampaignError) in try campaigns.properties(of: registration) }
        return .json(properties.json)
    }

    private func set(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let registration = try await devices.registration(request[path: "registration"], in: request.project.number)
        let properties = try await asked { () async throws(CampaignError) in
            try await campaigns.setProperties(request.body, of: registration)
        }
        return ConsoleAnswer.json(properties.json).audited(
            String(registration.id.value), request.body.names.sorted().joined(separator: ", "))
    }
}

/// `PATCH /v1/projects/{project}/registrations/{registration}/properties`: the same for app servers, with OAuth. An
/// addition of our own.
public struct PropertyRoutes: Sendable {
    private static let operation = GoogleError.Operation(
        service: "fcm.googleapis.com", method: "pharos.v1.PropertyService")
    private static let bodyLimitBytes = 1 << 16

    private let campaigns: CampaignService
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication

    public init(
        campaigns: CampaignService, projects: any ProjectDirectory, authentication: CallerAuthentication
    ) {
        self.campaigns = campaigns
        self.projects = projects
        self.authentication = authentication
    }

    public func add(to router: inout Router) {
        let path: PathPattern = "/v1/projects/{project}/registrations/{registration}/properties"
        router.add(
            Route("PATCH", path, bodyLimitBytes: Self.bodyLimitBytes) { request in
                do throws(GoogleError) {
                    return HTTPResponse(json: try await set(request))
                } catch {
                    return error.response
                }
            })
    }

    private func set(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let name = request[parameter: "project"]
        let caller = try authentication.caller(of: request.head, for: Self.operation)
        let project = try authentication.require(
            "cloudmessaging.messages.create", of: caller, in: projects.project(named: name), named: name)
        let body = try JSONBody.object(of: request.request)
        let properties = try await asked { () async throws(CampaignError) in
            try await campaigns.setProperties(
                body, of: campaigns.registration(request[parameter: "registration"], in: project.number))
        }
        return .object(properties.json)
    }
}

extension [String: String] {
    /// By name.
    fileprivate var json: JSONObject { JSONObject(sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }) }
}
