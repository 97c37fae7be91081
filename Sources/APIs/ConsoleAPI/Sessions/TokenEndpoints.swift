public import Accounts
import GoogleAPI
import JSON
public import Timekeeping

/// Console tokens: what scripts and the command line show instead of a password.
public struct TokenEndpoints: Sendable {
    let accounts: Accounts
    let clock: any WallClock

    /// - Parameter clock: The machine's.
    public init(accounts: Accounts, clock: any WallClock) {
        self.accounts = accounts
        self.clock = clock
    }

    public var part: ConsolePart {
        ConsolePart(
            "Tokens",
            endpoints: [
                ConsoleEndpoint(
                    "token.list", "GET", "tokens", "Lists the caller’s tokens, without their texts.",
                    access: .signedIn,
                    answer: .json(
                        .object([
                            .required(
                                "tokens", .list(.reference("Token"), maximumItems: ConsoleToken.maximumPerUser))
                        ])), handler: list),
                ConsoleEndpoint(
                    "token.create", "POST", "tokens",
                    "Makes a token, whose text is shown this once. It may do what the caller may.",
                    access: .signedIn,
                    body: .object([
                        .required("name", .text(1, upTo: 100), "For people, to tell tokens apart."),
                        .optional("expiresInDays", .integer(1...3650), "It never expires if it is not given."),
                    ]),
                    answer: .json(
                        .object([
                            .required("tokenId", .text(1)), .required("name", .text()),
                            .required("createdAt", .time), .optional("expiresAt", .time),
                            .optional("lastUsedAt", .time),
                            .required("token", .text(1), "For Authorization: Bearer."),
                        ])), handler: create),
                ConsoleEndpoint(
                    "token.delete", "DELETE", "tokens/{token}", "Takes a token of the caller out of use.",
                    access: .signedIn, handler: delete),
            ],
            schemas: [
                "Token": .object([
                    .required("tokenId", .text(1)), .required("name", .text()), .required("createdAt", .time),
                    .optional("expiresAt", .time), .optional("lastUsedAt", .time, "Within a minute."),
                ])
            ])
    }

    private func list(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let user = try request.signedIn().user
        let tokens = try await answering { () async throws(AccountError) in try await accounts.tokens(of: user) }
        return .json(["tokens": .array(tokens.map { .object(json($0)) })])
    }

    private func create(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let user = try request.signedIn().user
        let name = request.body["name"]?.string ?? ""
        let days = request.body["expiresInDays"]?.int64
        let expiry = days.map { clock.now().adding(seconds: $0 * 86_400) }
        let (token, text) = try await answering { () async throws(AccountError) in
            try await accounts.makeToken(named: name, for: user, expiresAt: expiry)
        }
        var answer = json(token)
        answer["token"] = .string(text)
        return .json(answer).audited(token.id.description, name)
    }

    private func delete(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let user = try request.signedIn().user
        guard let id = TokenID(request[path: "token"]) else { throw .absent("token") }
        try await answering { () async throws(AccountError) in try await accounts.removeToken(id, of: user) }
        return .done
    }

    private func json(_ token: ConsoleToken) -> JSONObject {
        var json: JSONObject = [
            "tokenId": .string(token.id.description), "name": .string(token.name),
            "createdAt": .string(token.createdAt.rfc3339),
        ]
        if let time = token.expiresAt { json["expiresAt"] = .string(time.rfc3339) }
        if let time = token.lastUsedAt { json["lastUsedAt"] = .string(time.rfc3339) }
        return json
    }
}
