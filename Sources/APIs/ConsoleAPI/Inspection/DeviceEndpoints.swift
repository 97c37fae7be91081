import Accounts
import GoogleAPI
import JSON
public import PushCore
import PushModel
public import Reports

/// The devices of a project: registrations with what is known of them, and a message to one.
public struct DeviceEndpoints: Sendable {
    private let store: any InspectionStore
    private let names: DeviceNames
    private let documents: DeviceDocuments
    private let pipeline: SendPipeline

    public init(
        store: any InspectionStore & RegistrationStore, tokens: RegistrationTokenCodec, pipeline: SendPipeline
    ) {
        self.store = store
        self.pipeline = pipeline
        names = DeviceNames(store: store, tokens: tokens)
        documents = DeviceDocuments(tokens: tokens)
    }

    public var part: ConsolePart {
        ConsolePart(
            "Devices",
            endpoints: [
                ConsoleEndpoint(
                    "device.list", "GET", "projects/{project}/devices", "Lists registrations, newest first.",
                    access: .project(.viewer),
                    query: [.init("q", .text(upTo: 1_000), "A token, FID, app or version.")] + ConsolePage.parameters,
                    answer: .json(.page("devices", of: .reference("Device"))), handler: list),
                ConsoleEndpoint(
                    "device.get", "GET", "projects/{project}/devices/{device}",
                    "Shows a registration, named by its token, FID or number.", access: .project(.viewer),
                    query: [DeviceDocuments.tokensParameter], answer: .json(.reference("DeviceDetails")), handler: show),
                ConsoleEndpoint(
                    "device.send", "POST", "projects/{project}/devices/{device}:send", "Sends it a message.",
                    access: .project(.editor), body: .reference("DeviceMessage"),
                    answer: .json(.object([.required("messageId", .text(1))])), handler: send),
            ],
            schemas: DeviceDocuments.schemas.merging([
                "DeviceMessage": .object([
                    .optional(
                        "notification",
                        .object([
                            .optional("title", .text(upTo: 1_000)), .optional("body", .text(upTo: 4_000)),
                            .optional("imageUrl", .text(upTo: 2_000)),
                        ])),
                    .optional("data", .map(.text(upTo: 4_096), maximumMembers: 100)),
                ])
            ]) { first, _ in first })
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        var query = DeviceQuery(project: request.project.number, limit: page.size)
        query.place = try page.integerKey().map { RegistrationID(value: $0) }
        if let text = request.query("q") { query.filter = try await filter(text, request) }
        let wanted = query
        let found = try await asking { () async throws(StoreError) in try store.devices(wanted) }
        return ConsolePage.answer("devices", found, documents)
    }

    private func filter(_ text: String, _ request: ConsoleRequest) async throws(GoogleError) -> DeviceQuery.Filter {
        let ids = try await names.registrations(text, in: request.project.number)
        if !ids.isEmpty { return .registrations(ids) }
        return text.first?.isNumber == true && !text.contains(":") ? .version(text) : .app(text)
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let showsTokens = try DeviceDocuments.showsTokens(request)
        let registration = try await names.registration(request[path: "device"], in: request.project.number)
        let device = try await asking { () async throws(StoreError) in try store.device(registration.id) }
        guard let device else { throw .absent("device") }
        return .json(documents.details(device, showsTokens: showsTokens))
    }

    private func send(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let registration = try await names.registration(request[path: "device"], in: request.project.number)
        let given = request.body["notification"]?.object
        var message = Message(
            data: (request.body["data"]?.object ?? [:]).map { .init(key: $0.name, value: $0.value.string ?? "") },
            origin: MessageOrigin(.console, sender: request.userName))
        if let given {
            message.notification = Message.Notification(
                title: given["title"]?.string, body: given["body"]?.string, image: given["imageUrl"]?.string)
        }
        let token = documents.tokens.token(of: registration)
        do throws(SendError) {
            let receipt = try await pipeline.send(
                SendRequest(project: request.project.id, target: .token(token), message: message), in: request.project)
            let id = receipt.id?.description ?? ""
            return .json(["messageId": .string(id)]).audited(String(registration.id.value), "message \(id)")
        } catch {
            throw error.forConsole
        }
    }
}

extension SendError {
    /// The refusal of a send, in the words of the console.
    fileprivate var forConsole: GoogleError {
        let violations = violations.map {
            GoogleError.FieldViolation(field: $0.field, description: $0.description)
        }
        let details: [GoogleError.Detail] = violations.isEmpty ? [] : [.badRequest(violations)]
        switch kind {
        case .unregistered:
            return GoogleError(
                .failedPrecondition, "The registration is over: \(FailureReason.unregistered.explanation.text)",
                httpStatus: 409)
        case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded:
            return GoogleError(.resourceExhausted, message, retryAfterSeconds: retryAfterSeconds ?? 60)
        case .unavailable, .internalError: return GoogleError(.unavailable, message, retryAfterSeconds: 5)
        case .thirdPartyAuthentication:
            return GoogleError(
                .failedPrecondition,
                message + " " + FailureReason.thirdPartyAuthentication.explanation.nextStep, httpStatus: 409)
        default: return GoogleError(.invalidArgument, message, details: details)
        }
    }
}
