import Accounts
import Crypto
import GoogleAPI
import JSON
import PushCore
public import PushModel
public import Timekeeping

/// What a project shows to APNs.
public struct APNsKeyEndpoints: Sendable {
    /// What asking APNs with a credential gave.
    public struct Finding: Sendable, Equatable {
        public var title: String
        public var isGood: Bool
        public var message: String
        /// Empty when nothing is to be done.
        public var nextStep: String

        public init(title: String, isGood: Bool, message: String, nextStep: String) {
            self.title = title
            self.isGood = isGood
            self.message = message
            self.nextStep = nextStep
        }
    }

    public typealias LiveCheck = @Sendable (APNsCredential, Project) async -> [Finding]

    let store: any ProjectEndpoints.Store
    let check: LiveCheck
    let clock: any WallClock

    /// - Parameters:
    ///   - check: Asks APNs whether it takes a credential.
    ///   - clock: Says whether a certificate is valid.
    public init(store: any ProjectEndpoints.Store, check: @escaping LiveCheck, clock: any WallClock) {
        self.store = store
        self.check = check
        self.clock = clock
    }

    public var part: ConsolePart {
        let path = "projects/{project}/apns-keys"
        return ConsolePart(
            "APNs keys",
            endpoints: [
                ConsoleEndpoint(
                    "apnsKey.list", "GET", path, "Lists the APNs keys and certificates of a project.",
                    access: .project(.viewer),
                    answer: .json(.object([.required("apnsKeys", .list(.reference("APNsKey"), maximumItems: 10_000))])),
                    handler: list),
                ConsoleEndpoint(
                    "apnsKey.create", "POST", path,
                    "Uploads an APNs key. It replaces what served the same environments and apps.",
                    access: .project(.administrator),
                    body: .object([
                        .required("key", .text(1, upTo: 16_384), "The .p8 file as Apple gives it, as text."),
                        .required("keyId", Self.identifierSchema),
                        .required("teamId", Self.identifierSchema),
                        .optional(
                            "bundleIds", .list(.text(1, upTo: 155), maximumItems: 100),
                            "The apps that it may serve; all if it is not given."),
                        .optional(
                            "environments", .list(Self.environmentSchema, maximumItems: 2),
                            "Both if it is not given."),
                    ]), answer: .json(.reference("APNsKey")), handler: create),
                certificateEndpoint,
                ConsoleEndpoint(
                    "apnsKey.check", "POST", path + "/{key}:check", "Asks APNs whether it takes the key.",
                    access: .project(.editor),
                    answer: .json(
                        .object([
                            .required(
                                "results",
                                .list(
                                    .object([
                                        .required("title", .text()), .required("isGood", .flag),
                                        .required("message", .text()), .optional("nextStep", .text()),
                                    ]), maximumItems: 100))
                        ])), isAudited: false, handler: askAPNs),
                ConsoleEndpoint(
                    "apnsKey.delete", "DELETE", path + "/{key}", "Takes an APNs key or certificate away.",
                    access: .project(.administrator), handler: delete),
            ],
            schemas: [
                "APNsKey": .object([
                    .required("keyId", .text(1), "Apple’s id of a key; a number for a certificate."),
                    .required("kind", .choice(["key", "certificate"])),
                    .optional("teamId", .text()),
                    .optional("name", .text(), "Of a certificate: whom it names."),
                    .optional("expiresAt", .time, "Of a certificate: it counts until then."),
                    .required("environments", .list(Self.environmentSchema, maximumItems: 2)),
                    .required("bundleIds", .list(.text(), maximumItems: 1000), "Empty for all of the project."),
                ])
            ])
    }

    private static let identifierSchema = ConsoleSchema.text(10, upTo: 10, pattern: "^[A-Z0-9]{10}$")
    static let environmentSchema = ConsoleSchema.choice(APNsEnvironment.allCases.map(\.rawValue))

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        .json(["apnsKeys": .array(store.apnsCredentials(of: request.project.number).map { .object(json($0)) })])
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let body = request.body
        let keyID = try identifier("keyId", body)
        let teamID = try identifier("teamId", body)
        let key: P256PrivateKey
        do throws(KeyError) {
            key = try P256PrivateKey(file: Array((body["key"]?.string ?? "").utf8))
        } catch {
            throw .invalidField("key", "\(error) Give the text of the AuthKey_….p8 file as it came from Apple.")
        }
        let bundleIDs = try Self.bundleIDs(body)
        let named = Self.environments(body)
        let credential = try await asking { () async throws(StoreError) in
            try await store.importAPNsCredential(
                .signingKey(pem: key.pem, keyID: keyID, teamID: teamID), project: request.project.number,
                environments: named.isEmpty ? Set(APNsEnvironment.allCases) : named, bundleIDs: bundleIDs)
        }
        return .json(json(credential)).audited(keyID, "team \(teamID)")
    }

    static func bundleIDs(_ body: JSONObject) throws(GoogleError) -> Set<String> {
        let named = Set((body["bundleIds"]?.array ?? []).compactMap(\.string))
        for id in named where !AppPlatform.ios.isBundleID(id) {
            throw .invalidField("bundleIds", "A bundle id has letters, digits, hyphens and periods.")
        }
        return named
    }

    static func environments(_ body: JSONObject) -> Set<APNsEnvironment> {
        Set((body["environments"]?.array ?? []).compactMap { APNsEnvironment(rawValue: $0.string ?? "") })
    }

    private func identifier(_ name: String, _ body: JSONObject) throws(GoogleError) -> String {
        let text = body[name]?.string ?? ""
        guard APNsCredential.isAppleIdentifier(text) else {
            throw .invalidField(
                name, "\(name) must be 10 capital letters and digits, as Apple’s developer site shows it.")
        }
        return text
    }

    private func askAPNs(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        var results: [JSONValue] = []
        for credential in try credentials(request) {
            for finding in await check(credential, request.project) { results.append(json(finding)) }
        }
        return .json(["results": .array(results)])
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        for credential in try credentials(request) {
            try await asking { () async throws(StoreError) in
                try await store.removeAPNsCredential(serial: credential.serial)
            }
        }
        return .done
    }

    /// Those that the path names: one key may be uploaded several times, for several apps.
    private func credentials(_ request: ConsoleRequest) throws(GoogleError) -> [APNsCredential] {
        let name = request[path: "key"]
        let found = store.apnsCredentials(of: request.project.number).filter { Self.name(of: $0) == name }
        guard !found.isEmpty else { throw .absent("APNs key") }
        return found
    }

    private static func name(of credential: APNsCredential) -> String {
        credential.keyID ?? String(credential.serial)
    }

    func json(_ credential: APNsCredential) -> JSONObject {
        var json: JSONObject = [
            "keyId": .string(Self.name(of: credential)),
            "kind": credential.keyID == nil ? "certificate" : "key",
            "environments": .array(credential.environments.map(\.rawValue).sorted().map { .string($0) }),
            "bundleIds": .array(credential.bundleIDs.sorted().map { .string($0) }),
        ]
        switch credential.kind {
        case .signingKey(_, _, let teamID): json["teamId"] = .string(teamID)
        case .certificate(let chainPEM, _):
            guard let certificate = try? X509Certificate(pem: chainPEM) else { break }
            json["expiresAt"] = .string(certificate.notAfter.rfc3339)
            if let name = certificate.subject.commonName { json["name"] = .string(name) }
        }
        return json
    }

    private func json(_ finding: Finding) -> JSONValue {
        var json: JSONObject = [
            "title": .string(finding.title), "isGood": .bool(finding.isGood), "message": .string(finding.message),
        ]
        if !finding.nextStep.isEmpty { json["nextStep"] = .string(finding.nextStep) }
        return .object(json)
    }
}
