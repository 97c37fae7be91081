import JSON
import OAuthAPI

extension Command {
    /// `pharos send`
    static let send = Command(
        "send", "Sends a message as an app server does, through HTTP v1.",
        options: [
            .dataDirectory,
            .value(
                "service-account", "FILE", "The key file. Default: service-account.json of the data directory."),
            .value("server", "URL", "The server. Default: where the key file's token_uri points."),
            .value("ca", "FILE", "The CA to trust for https. Default: ca.pem of the data directory."),
            .value("project", "PROJECT_ID", "The project. Default: the key file's."),
            .value("token", "TOKEN", "Send to a registration token."),
            .value("fid", "FID", "Send to a Firebase installation id."),
            .value("topic", "TOPIC", "Send to a topic."),
            .value("condition", "EXPRESSION", "Send to a condition over topics."),
            .value("title", "TEXT", "The notification's title."),
            .value("body", "TEXT", "The notification's text."),
            .value("image", "URL", "The notification's image."),
            .value("data", "KEY=VALUE", "An entry of data.", repeatable: true),
            .value("label", "LABEL", "The analytics label."),
            .flag("stdin", "Read the whole message as JSON from standard input; a target option still counts."),
            .flag("dry-run", "Validate only; deliver nothing."),
            .flag("wait", "Wait until every recipient has an outcome, and print what became of it."),
            .value(
                "wait-seconds", "N", "With --wait: give up when nothing has changed for so long.", default: "15"),
        ],
        discussion: """
            Examples:
              pharos send --token TOKEN --title Hello --body World
              echo '{"data":{"k":"v"},"apns":{"headers":{"apns-priority":"5"}}}' | pharos send --stdin --fid FID

            With --wait and pharos dev it prints the message's whole way, up to what the device saw. With pharos serve it
            tells on standard error how far a message to a topic or condition is, and prints the counts of outcomes at
            the end.
            """
    ) { (arguments) async throws(CommandFailure) in
        try await SendJob(arguments).run(arguments)
    }
}

/// One run of `pharos send`.
private struct SendJob {
    private static let inputLimitBytes = 1 << 20

    let account: ServiceAccountKeyFile
    let client: ServerClient
    let project: String

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        let directory = try arguments.required("data-dir")
        let path = arguments.value("service-account") ?? directory + "/service-account.json"
        do {
            account = try ServiceAccountKeyFile(parsing: PrivateFile.read(path))
        } catch let failure as CommandFailure {
            throw .failed(
                failure.message, nextStep: "Start pharos dev, or name a key file with --service-account FILE.")
        } catch {
            throw .failed("\(path): \(error)", nextStep: "Make a new one: pharos service-account create.")
        }
        project = arguments.value("project") ?? account.projectID
        let server = arguments.value("server") ?? Self.base(of: account.tokenURI)
        let ca = arguments.value("ca") ?? directory + "/ca.pem"
        client = try ServerClient(
            baseURL: server, authorityPEM: PrivateFile.exists(ca) ? try PrivateFile.read(ca) : nil)
    }

    /// The scheme and authority of a URL.
    private static func base(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    func run(_ arguments: CommandArguments) async throws(CommandFailure) {
        defer { client.shutDown() }
        let patience = try arguments.integer("wait-seconds", in: 1...3600) ?? 15
        var body: JSONObject = ["message": .object(try message(arguments))]
        if arguments.has("dry-run") { body["validate_only"] = true }
        let token = try await client.accessToken(account)
        let answer = try await client.sendJSON(
            "POST", "/v1/projects/\(project)/messages:send",
            fields: [("authorization", "Bearer " + token)], body: .object(body))
        let name = answer["name"]?.string ?? ""
        if arguments.has("wait"), !arguments.has("dry-run") {
            let wait = SendWait(client: client, account: account, name: name, patienceSeconds: patience)
            return try await wait.run(token: token, asJSON: arguments.wantsJSON)
        }
        StandardStreams.printLine(arguments.wantsJSON ? String(decoding: answer.encoded, as: UTF8.self) : name)
    }

    private func message(_ arguments: CommandArguments) throws(CommandFailure) -> JSONObject {
        var message = arguments.has("stdin") ? try input() : [:]
        for target in ["token", "fid", "topic", "condition"] {
            if let value = arguments.value(target) { message[target] = .string(value) }
        }
        var notification = message["notification"]?.object ?? [:]
        for name in ["title", "body", "image"] {
            if let text = arguments.value(name) { notification[name] = .string(text) }
        }
        if !notification.isEmpty { message["notification"] = .object(notification) }
        var data = message["data"]?.object ?? [:]
        for entry in arguments.allValues("data") {
            guard let equals = entry.firstIndex(of: "=") else {
                throw .usage("--data \(entry) has no “=”.", nextStep: "Write --data KEY=VALUE.")
            }
            data[String(entry[..<equals])] = .string(String(entry[entry.index(after: equals)...]))
        }
        if !data.isEmpty { message["data"] = .object(data) }
        if let label = arguments.value("label") { message["fcm_options"] = ["analytics_label": .string(label)] }
        return message
    }

    private func input() throws(CommandFailure) -> JSONObject {
        guard let bytes = StandardStreams.readInput(limit: Self.inputLimitBytes) else {
            throw .failed("Standard input is longer than 1 MiB.", nextStep: "A message has at most 4 KiB.")
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, options: JSONOptions(skipsByteOrderMark: true))
        } catch {
            throw .usage("Standard input is no JSON. \(error)", nextStep: "See: pharos send --help")
        }
        guard let object = value.object else {
            throw .usage("Standard input is no JSON object.", nextStep: "See: pharos send --help")
        }
        return object["message"]?.object ?? object
    }
}
