import HTTPSemantics
import JSON
import OAuthAPI

/// What `pharos send --wait` does after the send.
struct SendWait {
    private static let shortestPauseMilliseconds = 100
    private static let longestPauseMilliseconds = 1000
    /// A little less than a request may take.
    private static let longestEmulatorWaitSeconds = 25
    /// An access token lasts an hour.
    private static let looksPerToken = 1800

    let client: ServerClient
    let account: ServiceAccountKeyFile
    /// `projects/…/messages/…`
    let name: String
    /// For how long nothing may change.
    let patienceSeconds: Int

    /// Shows the message's whole way when the server is an emulator that tells us, else how far it is.
    func run(token: String, asJSON: Bool) async throws(CommandFailure) {
        let id = name.split(separator: "/").last.map(String.init) ?? ""
        let waitMilliseconds = min(patienceSeconds, Self.longestEmulatorWaitSeconds) * 1000
        let way = try await client.send(
            "GET", "/emulator/v1/messages?message_id=\(id)&wait_ms=\(waitMilliseconds)")
        guard way.status == 200, let json = try? JSONValue(parsing: way.body) else {
            return try await follow(token: token, asJSON: asJSON)
        }
        StandardStreams.printLine(String(decoding: json.prettyPrinted, as: UTF8.self))
    }

    private func follow(token: String, asJSON: Bool) async throws(CommandFailure) {
        var token = token
        var looks = 0
        var last: SendProgress?
        var lastChange = ContinuousClock.now
        var pauseMilliseconds = Self.shortestPauseMilliseconds
        while true {
            let progress = try await look(token: token)
            if progress.isDone {
                let text = asJSON ? progress.json.text : "\(name)\n\(progress.text)"
                return StandardStreams.printLine(text)
            }
            if progress != last {
                StandardStreams.printError(progress.text)
                (last, lastChange) = (progress, .now)
            } else if ContinuousClock.now - lastChange > .seconds(patienceSeconds) {
                throw .failed(
                    "Nothing has changed for \(patienceSeconds) seconds: \(progress.text)",
                    nextStep: "The service goes on trying until the message's time to live ends. Do not send it again; "
                        + "run pharos doctor, and ask later with GET /v1/\(name).")
            }
            // Nobody cancels a command's own task.
            try? await Task.sleep(for: .milliseconds(pauseMilliseconds))
            pauseMilliseconds = min(2 * pauseMilliseconds, Self.longestPauseMilliseconds)
            looks += 1
            if looks.isMultiple(of: Self.looksPerToken) { token = try await client.accessToken(account) }
        }
    }

    private func look(token: String) async throws(CommandFailure) -> SendProgress {
        let response = try await client.send("GET", "/v1/" + name, fields: [("authorization", "Bearer " + token)])
        if response.status == 200, let json = try? JSONValue(parsing: response.body),
            let progress = SendProgress(json)
        {
            return progress
        }
        guard response.status == 404 else {
            throw .failed(
                "\(name) was sent, but the server answered \(response.status) to how far it is.",
                nextStep: "Do not send it again. Ask later with GET /v1/\(name).")
        }
        throw .failed(
            "\(name) was sent, but the server does not tell how far it is.",
            nextStep: "Do not send it again. The server is older than this program, or busy: see its /metrics.")
    }
}

/// How far a message is, as the server tells it.
struct SendProgress: Equatable {
    let json: JSONValue
    private let state: String
    private let recipients, accepted, failed, expired, pending: Int64

    /// `nil` when it is something else.
    init?(_ json: JSONValue) {
        guard let state = json["state"]?.string, let recipients = json["recipients"]?.int64,
            let accepted = json["accepted"]?.int64, let failed = json["failed"]?.int64,
            let expired = json["expired"]?.int64, let pending = json["pending"]?.int64
        else { return nil }
        self.json = json
        self.state = state
        (self.recipients, self.accepted, self.failed) = (recipients, accepted, failed)
        (self.expired, self.pending) = (expired, pending)
    }

    var isDone: Bool { state == "DONE" }

    /// One line.
    var text: String {
        let found = state == "SPLITTING" ? "\(recipients) recipients so far" : "\(recipients) recipients"
        let left = isDone ? "" : ", \(pending) pending"
        return "\(found): \(accepted) accepted, \(failed) failed, \(expired) expired\(left)"
    }
}
