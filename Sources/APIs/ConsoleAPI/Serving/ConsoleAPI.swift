// How another part of the console adds its operations:
//
// 1. A folder of this module holds a type with what its handlers need, and `var part: ConsolePart`: the endpoints, and
//    the schemas that they name with `.reference("Campaign")`. `Sessions/SessionEndpoints.swift` is an example.
// 2. `PharosService+Console.swift` makes the part and adds it to the list there.
//
// That is all: routing, roles, request forgery, the shape of bodies and queries, the audit log and the API file at
// /console/v1/openapi.json come from the declarations. A handler gets a request that fits its schema, answers with
// `ConsoleAnswer`, and throws `GoogleError`. Lists use `request.page()` and `ConsolePage.answer`.

public import Accounts
public import GoogleAPI
public import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// The console's API, and the files of its pages.
public struct ConsoleAPI: Sendable {
    public static let root = "/console/v1/"
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    let gate: ConsoleGate
    let audit: AuditWriter
    let parts: [ConsolePart]
    let schemas: [String: ConsoleSchema]
    let origins: ConsoleOrigins
    private let proxies: TrustedProxies

    /// - Parameters:
    ///   - parts: Two with the same operation, or schemas of one name, are a fault of the program.
    ///   - proxies: Whose word about the address of a person counts.
    public init(
        accounts: Accounts, directory: any ProjectDirectory, origins: ConsoleOrigins, parts: [ConsolePart],
        audit: AuditWriter, proxies: TrustedProxies = .none
    ) {
        self.proxies = proxies
        self.origins = origins
        self.parts = parts
        self.audit = audit
        gate = ConsoleGate(accounts: accounts, directory: directory, origins: origins)
        var schemas = OpenAPIDocument.commonSchemas
        for part in parts { schemas.merge(part.schemas) { _, _ in preconditionFailure("a schema is declared twice") } }
        self.schemas = schemas
    }

    /// The routes of all parts, the API file, and JSON answers for whatever else lies below the root.
    public var router: Router {
        var router = Router()
        let document = OpenAPIDocument(parts: parts, schemas: schemas).json
        router.get(PathPattern(Self.root + "openapi.json")) { [origins] request in
            do throws(GoogleError) {
                try origins.checkHost(of: request.head)
                return SecurityFields.onAPI(HTTPResponse(json: .object(document)))
            } catch {
                return SecurityFields.onAPI(error.response)
            }
        }
        for endpoint in parts.flatMap(\.endpoints) {
            router.add(
                Route(endpoint.method, endpoint.pattern, bodyLimitBytes: endpoint.bodyLimitBytes) { request in
                    SecurityFields.onAPI(await respond(to: request, at: endpoint))
                })
        }
        addRefusals(to: &router)
        return router
    }

    private func respond(to request: RoutedRequest, at endpoint: ConsoleEndpoint) async -> HTTPResponse {
        do throws(GoogleError) {
            var request = request
            request.request.peerAddress = proxies.client(of: request.request)
            var admitted = try await gate.admit(request, to: endpoint)
            admitted = try checked(admitted, for: endpoint)
            let answer = try await endpoint.handler(admitted)
            if endpoint.isAudited { await audit.note(endpoint, admitted, answer) }
            return answer.response
        } catch {
            return error.response
        }
    }

    /// The request with its body read, when query and body have the declared shapes.
    private func checked(
        _ request: ConsoleRequest, for endpoint: ConsoleEndpoint
    ) throws(GoogleError) -> ConsoleRequest {
        for parameter in endpoint.query { try parameter.check(request.query(parameter.name), named: schemas) }
        guard let schema = endpoint.body else { return request }
        guard isJSON(request.head.fields["content-type"]) else {
            throw GoogleError(
                .invalidArgument, "The body must be JSON, with the content type application/json.", httpStatus: 415)
        }
        let body = try JSONBody.object(of: request.routed.request)
        try SchemaCheck.require(.object(body), schema, named: schemas)
        return ConsoleRequest(
            request.routed, visitor: request.visitor, project: request.project, role: request.role, body: body)
    }

    private func isJSON(_ contentType: String?) -> Bool {
        let type = contentType?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return type.trimmingSpaces().lowercased() == "application/json"
    }

    /// 405 where the path has other methods, else 404.
    private func addRefusals(to router: inout Router) {
        let paths = PathMethods(parts.flatMap(\.endpoints))
        for method in Self.methods {
            router.add(
                Route(method, PathPattern(Self.root + "{rest...}")) { request in
                    let methods = paths.methods(of: request[parameter: "rest"])
                    guard !methods.isEmpty else {
                        return SecurityFields.onAPI(
                            GoogleError(.notFound, "There is no such path. See \(Self.root)openapi.json.").response)
                    }
                    var response = GoogleError(
                        .unimplemented, "This path takes \(methods.joined(separator: ", ")).", httpStatus: 405
                    ).response
                    response.fields["allow"] = methods.joined(separator: ", ")
                    return SecurityFields.onAPI(response)
                })
        }
    }
}

extension ConsoleEndpoint.Parameter {
    /// - Throws: 400 when the value has not the declared shape, or is missing.
    fileprivate func check(_ text: String?, named: [String: ConsoleSchema]) throws(GoogleError) {
        guard let text else {
            guard !isRequired else { throw .invalidField(name, "The query needs \(name).") }
            return
        }
        let number = JSONNumber(literal: text).map { JSONValue.number($0) }
        let value: JSONValue
        switch schema {
        case .integer, .number: value = number ?? .string(text)
        case .flag: value = text == "true" ? true : text == "false" ? false : .string(text)
        default: value = .string(text)
        }
        try SchemaCheck.require(["\(name)": value], .object([.required(name, schema)]), named: named)
    }
}
