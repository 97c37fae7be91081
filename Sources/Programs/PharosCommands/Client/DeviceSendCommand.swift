import JSON

extension Command {
    /// `pharos device send`
    static let deviceSend = Command(
        "device send", "Lets the app on a virtual iPhone of pharos dev send a message to its app server.",
        options: [
            .value("server", "URL", "The emulator.", default: "http://127.0.0.1:9599"),
            .value("device", "NAME", "The phone, as the emulator's listing names it.", default: "iphone-1"),
            .value("to", "RECEIVER", "SENDER_ID@gcm.googleapis.com, or a notification key. Default: the project's."),
            .value("data", "KEY=VALUE", "An entry of the message.", repeatable: true),
            .value("message-id", "ID", "The app's id of the message. Default: one that is free."),
            .value("ttl", "SECONDS", "How long it may wait; 0 is now or never.", default: "86400"),
        ],
        discussion: """
            The phone needs its direct channel to send at once: start it with
              curl -d '{"direct_channel":true}' http://127.0.0.1:9599/emulator/v1/devices
            The app server gets the message over XMPP. What became of it: GET /emulator/v1/messages, “upstream”.
            """
    ) { (arguments) async throws(CommandFailure) in
        var body: JSONObject = ["data": .object(try data(arguments))]
        if let receiver = arguments.value("to") { body["to"] = .string(receiver) }
        if let id = arguments.value("message-id") { body["message_id"] = .string(id) }
        body["ttl"] = .integer(Int64(try arguments.integer("ttl", in: 0...86_400) ?? 86_400))
        let client = try ServerClient(baseURL: try arguments.required("server"), authorityPEM: nil)
        let device = try arguments.required("device")
        let answer = try await client.sendJSON(
            "POST", EmulatorRoutes.root + "/devices/\(device):send", body: .object(body))
        StandardStreams.printLine(JSONValue.object(answer).text)
    }

    private static func data(_ arguments: CommandArguments) throws(CommandFailure) -> JSONObject {
        var data = JSONObject()
        for entry in arguments.allValues("data") {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .usage("“\(entry)” is no KEY=VALUE.", nextStep: "For example: --data score=7")
            }
            data[String(parts[0])] = .string(String(parts[1]))
        }
        return data
    }
}
