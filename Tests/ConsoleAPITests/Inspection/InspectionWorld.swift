import Accounts
import AppServerTesting
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Reports
import SQLiteStore
import Timekeeping

@testable import ConsoleAPI

/// The endpoints of reports and inspector over a real store.
struct InspectionWorld {
    struct NoDelays: DelayScheduler {
        func after(milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {}
    }

    let world: AppServerWorld
    let tail: LiveTail
    private let endpoints: [ConsoleEndpoint]
    private let schemas: [String: ConsoleSchema]

    init() async throws {
        world = try await AppServerWorld()
        tail = LiveTail(clock: world.clock)
        let parts = [
            ReportEndpoints(store: world.store, clock: world.clock).part,
            MessageEndpoints(
                store: world.store, tokens: world.tokens, tail: tail, delays: NoDelays(), clock: world.clock
            ).part,
            DeviceEndpoints(store: world.store, tokens: world.tokens, pipeline: world.pipeline).part,
            TopicEndpoints(store: world.store, tokens: world.tokens, clock: world.clock).part,
        ]
        endpoints = parts.flatMap(\.endpoints)
        var schemas: [String: ConsoleSchema] = [:]
        for part in parts { schemas.merge(part.schemas) { first, _ in first } }
        self.schemas = schemas
    }

    /// Calls an operation by its name.
    /// - Parameter target: The path's query with its `?`.
    func call(
        _ name: String, _ query: String = "", path: [(name: String, value: String)] = [], body: JSONObject = [:],
        as role: ConsoleRole = .viewer, fields: [(String, String)] = []
    ) async throws(GoogleError) -> HTTPResponse {
        guard let endpoint = endpoints.first(where: { $0.name == name }) else { throw .absent("operation") }
        let head = HTTPRequestHead(method: endpoint.method, target: "/x" + query, fields: HTTPFields(fields))
        let request = ConsoleRequest(
            RoutedRequest(HTTPRequest(head: head), parameters: path), visitor: nil, project: world.project,
            role: role, body: body)
        let response = try await endpoint.handler(request).response
        if case .json(let schema) = endpoint.answer {
            try SchemaCheck.require((try? JSONValue(parsing: response.body)) ?? .null, schema, named: schemas)
        }
        return response
    }

    /// The JSON of an operation that works.
    func json(
        _ name: String, _ query: String = "", path: [(name: String, value: String)] = [],
        as role: ConsoleRole = .viewer
    ) async throws -> JSONObject {
        let response = try await call(name, query, path: path, as: role)
        return try JSONValue(parsing: response.body).object ?? [:]
    }

    /// A message that a phone got, or did not.
    func send(
        _ title: String, to recipient: Registration, label: String? = nil,
        outcome: DeliveryOutcome? = .accepted(providerID: "12345678-9abc-def0-1234-56789abcdef0")
    ) async throws -> MessageID {
        let message = Message(
            notification: .init(title: title, body: "text"), analyticsLabel: label.flatMap { AnalyticsLabel($0) },
            origin: MessageOrigin(.v1, sender: "sender@example.com"))
        let receipt = try await world.pipeline.send(
            SendRequest(project: world.project.id, target: .token(world.tokens.token(of: recipient)), message: message),
            in: world.project)
        let id = receipt.id ?? MessageID(value: 0)
        let delivery = try world.store.pendingDeliveries(after: DeliveryID(value: 0), limit: 1_000).last
        if let outcome, let delivery {
            world.store.finish([
                FinishedDelivery(
                    id: delivery.id, message: id, project: world.project.number, registration: recipient.id,
                    outcome: outcome, time: world.clock.now(),
                    dimensions: ReportDimensions(message, to: recipient))
            ])
            _ = try await world.store.register(draftOfNobody)
        }
        return id
    }

    /// Whatever is written makes sure that what came before is written too.
    private var draftOfNobody: RegistrationDraft {
        RegistrationDraft(
            project: world.otherProject.number, app: nil, fid: "", bundleID: "b", channel: .device, isFIDMode: false,
            androidID: 5, time: world.clock.now(), freshNonce: 1)
    }
}
