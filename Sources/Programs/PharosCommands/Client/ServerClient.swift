import Bytes
import EventLoop
import HTTPClient
import HTTPSemantics
import JSON
import OAuthAPI
import Timekeeping
import Transport

/// A command's line to a running server.
struct ServerClient {
    let baseURL: String
    private let client: HTTPClient
    private let loops: EventLoopGroup

    /// - Parameters:
    ///   - baseURL: `http://127.0.0.1:9599`.
    ///   - authorityPEM: The CA to trust for https; `nil` for the system's.
    init(baseURL: String, authorityPEM: [UInt8]?) throws(CommandFailure) {
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        var configuration = HTTPClientConfiguration()
        if let authorityPEM { configuration.trust = .authorities(pem: authorityPEM) }
        do {
            loops = try EventLoopGroup(count: 1)
            client = try HTTPClient(configuration, loop: loops.next())
        } catch {
            throw .failed("No HTTP client could be made: \(error).", nextStep: "Run: pharos doctor")
        }
    }

    /// One request.
    func send(
        _ method: String, _ path: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws(CommandFailure) -> HTTPResponse {
        guard let url = HTTPURL(baseURL + path) else {
            throw .usage("“\(baseURL)” is no URL.", nextStep: "Give one like http://127.0.0.1:9599.")
        }
        do throws(HTTPClientError) {
            return try await client.send(
                HTTPClientRequest(method: method, url: url, fields: HTTPFields(fields), body: body))
        } catch {
            throw .failed(
                "\(baseURL) does not answer: \(error).",
                nextStep: "Start a server with pharos dev or pharos serve, or name it with --server URL.")
        }
    }

    /// A JSON request whose answer is a JSON object; another status than 200 is a failure that shows the answer.
    func sendJSON(
        _ method: String, _ path: String, fields: [(String, String)] = [], body: JSONValue? = nil
    ) async throws(CommandFailure) -> JSONObject {
        let response = try await send(
            method, path, fields: fields + [("content-type", "application/json")], body: body?.encoded ?? [])
        guard response.status == 200, let object = (try? JSONValue(parsing: response.body))?.object else {
            throw .failed(
                "The server answered \(response.status): \(String(decoding: response.body.prefix(2000), as: UTF8.self))",
                nextStep: "The answer above says what is wrong.")
        }
        return object
    }

    /// Exchanges a service account's signature for an access token.
    func accessToken(_ account: ServiceAccountKeyFile) async throws(CommandFailure) -> String {
        let assertion: String
        do {
            assertion = try account.assertion(at: SystemClock().now())
        } catch {
            throw .failed("The key cannot sign: \(error).", nextStep: "Check the service account file.")
        }
        let body = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
        let response = try await send(
            "POST", "/token", fields: [("content-type", "application/x-www-form-urlencoded")], body: Array(body.utf8))
        guard response.status == 200,
            let token = (try? JSONValue(parsing: response.body))?.object?["access_token"]?.string
        else {
            throw .failed(
                "No access token: \(String(decoding: response.body.prefix(500), as: UTF8.self))",
                nextStep: "Check that the service account belongs to this server: pharos service-account create.")
        }
        return token
    }

    func shutDown() {
        client.shutDown()
        loops.shutDown()
    }
}
