import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel

/// `POST /iid/v1:batchImport`.
struct APNsTokenImport: Sendable {
    static let maximumTokens = 100

    let importer: APNsTokenImporter

    func answer(_ request: RoutedRequest, in project: Project) async -> HTTPResponse {
        guard let body = Body(request.body) else { return InstanceIDReply.failure(400, "INVALID_ARGUMENT") }
        guard let app = importer.app(bundleID: body.application, in: project.number) else {
            return InstanceIDReply.failure(400, "INVALID_ARGUMENT")
        }
        var results: [JSONValue] = []
        for token in body.tokens { results.append(await result(of: token, body.environment, app)) }
        return HTTPResponse(json: ["results": .array(results)])
    }

    private func result(of text: String, _ environment: APNsEnvironment, _ app: App) async -> JSONValue {
        var result: JSONObject = ["apns_token": .string(text)]
        do {
            let token = try await importer.registrationToken(of: text, environment: environment, app: app)
            result["status"] = "OK"
            result["registration_token"] = .string(token)
        } catch {
            result["status"] = .string(error == .unavailable ? "INTERNAL" : "INVALID_ARGUMENT")
        }
        return .object(result)
    }

    /// What the call says, when it is one.
    private struct Body {
        var application: String
        var environment: APNsEnvironment
        var tokens: [String]

        init?(_ bytes: [UInt8]) {
            guard
                let object = (try? JSONValue(parsing: bytes, options: JSONOptions(skipsByteOrderMark: true)))?.object,
                let application = object["application"]?.string, !application.isEmpty,
                let list = object["apns_tokens"]?.array, (1...APNsTokenImport.maximumTokens).contains(list.count)
            else { return nil }
            let isSandbox: Bool
            switch object["sandbox"] {
            case nil, .null: isSandbox = false
            case .bool(let flag): isSandbox = flag
            default: return nil
            }
            tokens = list.compactMap(\.string)
            guard tokens.count == list.count else { return nil }
            self.application = application
            environment = isSandbox ? .sandbox : .production
        }
    }
}
