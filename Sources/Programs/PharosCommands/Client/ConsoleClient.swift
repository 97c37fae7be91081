import HTTPSemantics
import JSON

/// A command's line to the console's API of a running server, with a console token.
struct ConsoleClient {
    static let options: [CommandOption] = [
        .dataDirectory,
        .value("server", "URL", "The server.", default: "http://127.0.0.1:9599"),
        .value("ca", "FILE", "The CA to trust for https. Default: ca.pem of the data directory."),
        .value("console-token", "TOKEN", "A token of the console: the page of your account makes one."),
        .value("project", "PROJECT_ID", "The project.", default: "demo-pharos"),
    ]

    private let client: ServerClient
    private let token: String
    let project: String

    init(_ arguments: CommandArguments) throws(CommandFailure) {
        guard let token = arguments.value("console-token"), !token.isEmpty else {
            throw .usage(
                "--console-token is needed.",
                nextStep: "Make one in the console, or with POST /console/v1/tokens, and put it into "
                    + "PHAROS_CONSOLE_TOKEN.")
        }
        self.token = token
        project = try arguments.required("project")
        let directory = try arguments.required("data-dir")
        let ca = arguments.value("ca") ?? directory + "/ca.pem"
        client = try ServerClient(
            baseURL: try arguments.required("server"),
            authorityPEM: PrivateFile.exists(ca) ? try PrivateFile.read(ca) : nil)
    }

    /// - Parameter path: Below the project.
    func call(
        _ method: String, _ path: String, body: JSONObject? = nil
    ) async throws(CommandFailure) -> JSONObject {
        var fields = [("authorization", "Bearer " + token)]
        if body != nil { fields.append(("content-type", "application/json")) }
        let response = try await client.send(
            method, "/console/v1/projects/\(project)/\(path)", fields: fields, body: body?.encoded ?? [])
        let answer = (try? JSONValue(parsing: response.body))?.object
        guard (200...299).contains(response.status), let answer else {
            throw failure(response.status, answer)
        }
        return answer
    }

    private func failure(_ status: Int, _ answer: JSONObject?) -> CommandFailure {
        let error = answer?["error"]
        let violations = (error?["details"]?.array ?? []).flatMap { $0["fieldViolations"]?.array ?? [] }.map {
            "  \($0["field"]?.string ?? ""): \($0["description"]?.string ?? "")"
        }
        let message = error?["message"]?.string ?? "The server answered \(status)."
        return .failed(
            ([message] + violations).joined(separator: "\n"),
            nextStep: status == 401
                ? "Make a new token in the console." : "See: pharos campaign list, and docs/decisions/campaigns.md.")
    }

    func shutDown() { client.shutDown() }
}
