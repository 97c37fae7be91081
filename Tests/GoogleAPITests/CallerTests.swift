import GoogleAPI
import HTTPSemantics
import JSON
import PushModel
import Testing
import Timekeeping

@Suite struct `Callers` {
    struct Verifier: AccessTokenVerifier {
        func caller(presenting token: String) throws(AccessTokenError) -> Caller {
            let account = ServiceAccount(
                serial: 1, email: "a@p", project: ProjectNumber(value: 7), keyID: "k", publicKey: [], isEnabled: true)
            switch token {
            case "good": return Caller(account: account, scopes: .cloudPlatform)
            case "narrow": return Caller(account: account, scopes: .others)
            case "old": throw .expired
            default: throw .invalid
            }
        }
    }

    static let operation = GoogleError.Operation(
        service: "fcm.googleapis.com", method: "google.firebase.fcm.v1.FcmService.SendMessage")
    private let authentication = CallerAuthentication(verifier: Verifier())

    static let refused: [(fields: [(String, String)], target: String, status: Int, code: String, reason: String)] = [
        ([], "/", 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING"),
        ([("authorization", "Bearer")], "/", 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING"),
        ([("authorization", "Bearer ")], "/", 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING"),
        ([("authorization", "key=AAAA")], "/", 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING"),
        ([("authorization", "Basic good")], "/?access_token=", 401, "UNAUTHENTICATED", "CREDENTIALS_MISSING"),
        ([("authorization", "Bearer old")], "/", 401, "UNAUTHENTICATED", "ACCESS_TOKEN_EXPIRED"),
        ([("authorization", "Bearer x")], "/", 401, "UNAUTHENTICATED", "ACCESS_TOKEN_TYPE_UNSUPPORTED"),
        ([("authorization", "Bearer narrow")], "/", 403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
    ]

    @Test(arguments: refused.indices) func `without good credentials are told why`(row: Int) {
        let (fields, target, status, code, reason) = Self.refused[row]
        let error = #expect(throws: GoogleError.self) { try caller(fields, target) }
        #expect(error?.httpStatus == status && error?.status.rawValue == code)
        let detail = error?.details.first?.json
        #expect(detail?["reason"] == .string(reason) && detail?["domain"] == "googleapis.com")
        #expect(detail?["metadata"]?["service"] == "fcm.googleapis.com")
        if status == 401 { #expect(error?.message.contains("credential") == true) }
    }

    static let accepted: [(fields: [(String, String)], target: String)] = [
        ([("authorization", "Bearer good")], "/"), ([("authorization", "bearer   good ")], "/"),
        ([("authorization", "BEARER good")], "/?access_token=bad"), ([], "/?alt=json&access_token=good"),
        ([], "/?oauth_token=go%6fd"),
    ]

    @Test(arguments: accepted.indices) func `are found in every carrier`(row: Int) throws {
        #expect(try caller(Self.accepted[row].fields, Self.accepted[row].target).account.email == "a@p")
    }

    @Test func `act in their own project only and learn of no other`() throws {
        let caller = try caller([("authorization", "Bearer good")], "/")
        let own = try project("own-project", 7)
        let permission = "cloudmessaging.messages.create"
        #expect(try authentication.require(permission, of: caller, in: own, named: "own-project") == own)
        let message =
            "Permission 'cloudmessaging.messages.create' denied on resource "
            + "'//cloudresourcemanager.googleapis.com/projects/other-project' (or it may not exist)."
        for project in [try project("other-project", 8), nil] {
            let error = #expect(throws: GoogleError.self) {
                try authentication.require(permission, of: caller, in: project, named: "other-project")
            }
            #expect(error?.message == message && error?.httpStatus == 403)
            #expect(error?.details.first?.json["reason"] == "IAM_PERMISSION_DENIED")
        }
    }

    @Test func `name API keys in header or query`() {
        let header = HTTPRequestHead(
            method: "GET", target: "/?key=b", fields: HTTPFields([("x-goog-api-key", " a ")]))
        #expect(RequestCredentials.apiKey(in: header) == "a")
        #expect(RequestCredentials.apiKey(in: HTTPRequestHead(method: "GET", target: "/?x=1&key=b")) == "b")
        #expect(RequestCredentials.apiKey(in: HTTPRequestHead(method: "GET", target: "/?key=")) == nil)
        let error = GoogleError.apiKeyInvalid(service: "firebaseinstallations.googleapis.com")
        #expect(error.httpStatus == 400 && error.details.first?.json["reason"] == "API_KEY_INVALID")
        #expect(GoogleError.apiKeyMissing().httpStatus == 403)
    }

    @Test func `disabled services say which`() {
        let error = GoogleError.serviceDisabled("fcm.googleapis.com", projectNumber: "7")
        #expect(error.details.first?.json["metadata"]?["consumer"] == "projects/7" && error.httpStatus == 403)
    }

    @Test func `ask for scopes`() {
        let prefix = "https://www.googleapis.com/auth/"
        #expect(OAuthScopes(list: "\(prefix)cloud-platform \(prefix)userinfo.email") == [.cloudPlatform, .others])
        #expect(OAuthScopes(list: "\(prefix)firebase.messaging,\(prefix)x") == .firebaseMessaging)
        #expect(OAuthScopes(list: "cloud-platform openid") == [])
        #expect(OAuthScopes.messaging.urls == [prefix + "cloud-platform", prefix + "firebase.messaging"])
    }

    private func caller(_ fields: [(String, String)], _ target: String) throws(GoogleError) -> Caller {
        let head = HTTPRequestHead(method: "POST", target: target, fields: HTTPFields(fields))
        return try authentication.caller(of: head, for: Self.operation)
    }

    private func project(_ id: String, _ number: UInt64) throws -> Project {
        Project(
            id: try #require(ProjectID(id)), number: ProjectNumber(value: number), displayName: "",
            createdAt: Timestamp(seconds: 0))
    }
}
