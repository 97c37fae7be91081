import Accounts
package import Campaigns
import GoogleAPI
import JSON
import PushModel
import Timekeeping

/// Campaigns: composing, publishing, and what became of them.
public struct CampaignEndpoints: Sendable {
    private static let list = "projects/{project}/campaigns"
    private static let one = "projects/{project}/campaigns/{campaign}"
    private static let bodyLimitBytes = 1 << 17

    let campaigns: CampaignService
    let devices: DeviceNames

    /// - Parameter devices: Finds those whose custom properties are shown and set.
    package init(campaigns: CampaignService, devices: DeviceNames) {
        self.campaigns = campaigns
        self.devices = devices
    }

    public var part: ConsolePart {
        ConsolePart(
            "Campaigns",
            endpoints: composing + living + looking
                + PropertyEndpoints(campaigns: campaigns, devices: devices).endpoints,
            schemas: CampaignSchemas.all)
    }

    private func endpoint(
        _ name: String, _ method: String, _ path: String, _ summary: String, _ role: ConsoleEndpoint.Access,
        body: ConsoleSchema? = nil, answer: ConsoleSchema = .reference("Campaign"), isAudited: Bool? = nil,
        query: [ConsoleEndpoint.Parameter] = [], handler: @escaping ConsoleEndpoint.Handler
    ) -> ConsoleEndpoint {
        ConsoleEndpoint(
            "campaign." + name, method, path, summary, access: role, query: query, body: body, answer: .json(answer),
            isAudited: isAudited, bodyLimitBytes: Self.bodyLimitBytes, handler: handler)
    }

    // MARK: Composing

    private var composing: [ConsoleEndpoint] {
        [
            endpoint(
                "list", "GET", Self.list, "Lists campaigns, newest first.", .project(.viewer),
                answer: .page("campaigns", of: .reference("Campaign")),
                query: ConsolePage.parameters + [
                    .init("state", .choice(Campaign.State.allCases.map(\.rawValue)), "Those in this state only.")
                ], handler: list),
            endpoint(
                "create", "POST", Self.list, "Keeps a new draft.", .project(.editor),
                body: .reference("CampaignDraft"), handler: create),
            endpoint("get", "GET", Self.one, "Shows a campaign.", .project(.viewer), handler: show),
            endpoint(
                "update", "PUT", Self.one, "Replaces what a campaign sends, to whom and when.", .project(.editor),
                body: .reference("CampaignDraft"), handler: replace),
            endpoint(
                "delete", "DELETE", Self.one, "Deletes a campaign that sends nothing any more.", .project(.editor),
                answer: .object([]), handler: delete),
        ]
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let key = try page.integerKey().map { CampaignID(value: $0) }
        let state = request.query("state").flatMap { Campaign.State(rawValue: $0) }
        let found = try await asked { () throws(CampaignError) in
            try campaigns.campaigns(of: request.project.number, in: state, before: key, limit: page.size + 1)
        }
        var documents: [(CampaignID, JSONValue)] = []
        for campaign in found { documents.append((campaign.id, .object(try await json(campaign)))) }
        return page.answer("campaigns", documents, key: \.0.value) { $0.1 }
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let campaign = try await asked { () async throws(CampaignError) in
            try await campaigns.create(
                CampaignService.content(request.body), by: request.userName, in: request.project.number)
        }
        return try await answer(campaign)
    }

    private func show(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json(try await json(try await campaign(request)))
    }

    private func replace(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        guard let revision = request.body["revision"]?.int64 else {
            throw .invalidField("revision", "Name the revision that you edited: the one that GET answered.")
        }
        let id = try id(request)
        let campaign = try await asked { () async throws(CampaignError) in
            try await campaigns.edit(
                id, as: CampaignService.content(request.body), revision: revision, in: request.project)
        }
        return try await answer(campaign)
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let id = try id(request)
        try await asked { () async throws(CampaignError) in
            try await campaigns.delete(id, in: request.project.number)
        }
        return .done
    }

    // MARK: Life

    private var living: [ConsoleEndpoint] {
        [
            endpoint(
                "publish", "POST", Self.one + ":publish", "Lets a draft go out at its time.", .project(.editor)
            ) { (request) async throws(GoogleError) in
                try await change(request) { (id) async throws(CampaignError) in
                    try await campaigns.publish(id, in: request.project)
                }
            },
            endpoint(
                "pause", "POST", Self.one + ":pause", "Sends nothing until it is resumed.", .project(.editor)
            ) { (request) async throws(GoogleError) in
                try await change(request) { (id) async throws(CampaignError) in
                    try await campaigns.pause(id, in: request.project.number)
                }
            },
            endpoint(
                "resume", "POST", Self.one + ":resume", "Goes on with a paused campaign.", .project(.editor)
            ) { (request) async throws(GoogleError) in
                try await change(request) { (id) async throws(CampaignError) in
                    try await campaigns.resume(id, in: request.project.number)
                }
            },
            endpoint(
                "cancel", "POST", Self.one + ":cancel", "Ends a campaign; what was accepted goes on.",
                .project(.editor)
            ) { (request) async throws(GoogleError) in
                try await change(request) { (id) async throws(CampaignError) in
                    try await campaigns.cancel(id, in: request.project.number)
                }
            },
            endpoint(
                "duplicate", "POST", Self.one + ":duplicate", "Makes a draft with the same content.",
                .project(.editor)
            ) { (request) async throws(GoogleError) in
                try await change(request) { (id) async throws(CampaignError) in
                    try await campaigns.duplicate(id, by: request.userName, in: request.project.number)
                }
            },
        ]
    }

    private func change(
        _ request: ConsoleRequest, _ change: (CampaignID) async throws(CampaignError) -> Campaign
    ) async throws(GoogleError) -> ConsoleAnswer {
        let id = try id(request)
        let campaign = try await asked { () async throws(CampaignError) in try await change(id) }
        return try await answer(campaign)
    }

    // MARK: Looking

    private var looking: [ConsoleEndpoint] {
        [
            endpoint(
                "estimate", "POST", Self.list + ":estimate", "Counts whom a target reaches now.", .project(.viewer),
                body: .object([.required("target", .reference("CampaignTarget"))]),
                answer: .object([
                    .required("devices", .count), .required("registrations", .count),
                    .required("isExact", .flag, "Whether all were counted."),
                ]), isAudited: false, handler: estimate),
            endpoint(
                "preview", "POST", Self.list + ":preview", "Shows what Apple would get, and the next five times.",
                .project(.viewer), body: .object([.required("campaign", .reference("CampaignDraft"))]),
                answer: .object([
                    .required("payload", .anything), .required("headers", .map(.text(), maximumMembers: 64)),
                    .required("violations", .list(.anything, maximumItems: 1_000)), .required("sizeBytes", .count),
                    .required("occurrences", .list(.time, maximumItems: 5)),
                ]), isAudited: false, handler: preview),
            endpoint(
                "test", "POST", Self.list + ":test", "Sends to single devices at once.", .project(.editor),
                body: .object([
                    .required("campaign", .reference("CampaignDraft")),
                    .required(
                        "targets", .list(.text(upTo: 4_096), maximumItems: CampaignLimits.testTargets),
                        "Tokens or FIDs; white space around them does not count."),
                ]),
                answer: .object([.required("results", .list(.anything, maximumItems: CampaignLimits.testTargets))]),
                handler: test),
            endpoint(
                "runs", "GET", Self.one + "/runs", "Lists when a campaign was due and what came of it, newest first.",
                .project(.viewer), answer: .page("runs", of: .reference("CampaignRun")),
                query: ConsolePage.parameters, handler: runs),
        ]
    }

    private func estimate(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let audience = try await asked { () throws(CampaignError) in
            let draft: JSONObject = ["name": "-", "target": request.body["target"] ?? .null]
            let content = try CampaignService.content(draft)
            guard let target = content.target else {
                throw CampaignError.invalid([.init(field: "target", description: "Name a target.")])
            }
            return try campaigns.estimate(target, in: request.project.number)
        }
        return .json([
            "devices": .integer(audience.devices), "registrations": .integer(audience.registrations),
            "isExact": .bool(audience.isExact),
        ])
    }

    /// Wrong fields are no error here: the form shows them.
    private func preview(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        do throws(CampaignError) {
            let content = try CampaignService.content(request.body["campaign"]?.object ?? [:])
            let (preview, times) = try campaigns.preview(content, in: request.project)
            return .json([
                "payload": preview.payload,
                "headers": .object(JSONObject(preview.headers.map { ($0.key, .string($0.value)) })),
                "violations": violations(preview.violations), "sizeBytes": .integer(preview.sizeBytes),
                "occurrences": .array(times.map { .string($0.at.rfc3339) }),
            ])
        } catch {
            guard case .invalid(let wrong) = error else { throw .campaign(error) }
            return .json([
                "payload": .null, "headers": [:], "violations": violations(wrong), "sizeBytes": 0, "occurrences": [],
            ])
        }
    }

    private func violations(_ violations: [SendError.Violation]) -> JSONValue {
        .array(violations.map { ["field": .string($0.field), "description": .string($0.description)] })
    }

    private func test(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let targets = request.body["targets"]?.array?.compactMap(\.string) ?? []
        let results = try await asked { () async throws(CampaignError) in
            let content = try CampaignService.content(request.body["campaign"]?.object ?? [:])
            return try await campaigns.test(content, to: targets, in: request.project)
        }
        return .json(["results": .array(results.map(\.json))]).audited(
            "test", "\(targets.count) devices")
    }

    private func runs(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let key = try page.integerKey()
        let campaign = try await campaign(request)
        let runs = try await asked { () throws(CampaignError) in
            try campaigns.runs(of: campaign, before: key, limit: page.size + 1)
        }
        return page.answer("runs", runs, key: \.number) { $0.json }
    }

    // MARK: One campaign

    private func id(_ request: ConsoleRequest) throws(GoogleError) -> CampaignID {
        guard let id = CampaignID(request[path: "campaign"]) else { throw .absent("campaign") }
        return id
    }

    private func campaign(_ request: ConsoleRequest) async throws(GoogleError) -> Campaign {
        let id = try id(request)
        return try await asked { () throws(CampaignError) in
            try campaigns.campaign(id, in: request.project.number)
        }
    }

    private func json(_ campaign: Campaign) async throws(GoogleError) -> JSONObject {
        let counts = try await asked { () throws(CampaignError) in
            try campaigns.counts(of: campaign)
        }
        return campaign.json(counts)
    }

    private func answer(_ campaign: Campaign) async throws(GoogleError) -> ConsoleAnswer {
        .json(try await json(campaign)).audited(campaign.id.description, campaign.content.name)
    }
}
