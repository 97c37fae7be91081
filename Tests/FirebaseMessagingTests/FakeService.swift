import FirebasePlatform
import JSON
import Synchronization

/// A small push service: installations, check-in, tokens and registrations. A test can put an answer of its own in front.
final class FakeService: Sendable {
    typealias Override = @Sendable (WebRequest) async -> Result<WebResponse, WebError>?

    private struct State {
        var tokens = 0
        var devices: UInt64 = 0
        var overrides: [Override] = []
    }

    private let state = Mutex(State())

    /// Answers before the service does; `nil` leaves the request to the service. The newest goes first.
    func override(_ answer: @escaping Override) {
        state.withLock { $0.overrides.insert(answer, at: 0) }
    }

    func endOverrides() {
        state.withLock { $0.overrides = [] }
    }

    func answer(_ request: WebRequest) async -> Result<WebResponse, WebError> {
        for override in state.withLock(\.overrides) {
            if let answer = await override(request) { return answer }
        }
        return .success(reply(to: request))
    }

    private func reply(to request: WebRequest) -> WebResponse {
        let body = String(decoding: request.body, as: UTF8.self)
        switch request.kind {
        case .installation: return json(["refreshToken": "refresh", "authToken": authToken])
        case .authToken: return json(authToken)
        case .checkIn: return checkIn()
        case .register: return WebResponse(status: 200, body: Array("token=\(newToken(body))".utf8))
        case .delete: return WebResponse(status: 200, body: Array("deleted=com.example.pushdemo".utf8))
        case .registration: return json(["name": .string("projects/1/registrations/\(lastInstallation(body))")])
        case .topic where request.url.hasSuffix("/iid/register"):
            return WebResponse(status: 200, body: Array("token=".utf8))
        case .topic, .unregistration, .other: return json([:])
        }
    }

    private let authToken: JSONValue = ["token": "fis-auth", "expiresIn": "604800s"]

    private func json(_ value: JSONValue) -> WebResponse { WebResponse(status: 200, body: value.encoded) }

    private func checkIn() -> WebResponse {
        let count = state.withLock { state in
            state.devices += 1
            return state.devices
        }
        let reply: JSONValue = [
            "stats_ok": true, "time_msec": 1_699_999_999_000, "android_id": .integer(4_186_988_920_390_508_656 + count),
            "security_token": .integer(9_007_199_254_740_993 as Int64), "digest": "d1", "version_info": "v1",
            "device_data_version_info": "dd", "setting": [["name": "n", "value": "v"]],
        ]
        return json(reply)
    }

    private func newToken(_ form: String) -> String {
        let count = state.withLock { state in
            state.tokens += 1
            return state.tokens
        }
        return "\(form.field("appid") ?? ""):APA91b\(count)"
    }

    private let registered = Mutex("")

    /// The registration body names no installation: tests say who registers.
    func registers(_ installationID: String) {
        registered.withLock { $0 = installationID }
    }

    private func lastInstallation(_ body: String) -> String { registered.withLock { $0 } }
}

extension WebRequest {
    enum Kind: Sendable {
        case installation, authToken, checkIn, register, delete, registration, unregistration, topic, other
    }

    var kind: Kind {
        let path = url.split(separator: "/").dropFirst(2).joined(separator: "/")
        if path == "checkin" { return .checkIn }
        if path == "register" { return text.contains("delete=true") ? .delete : .register }
        if path == "iid/register" || path.contains("/topicSubscriptions/") { return .topic }
        if path.hasSuffix("authTokens:generate") { return .authToken }
        if path.hasSuffix("installations") { return .installation }
        if path.hasSuffix("registrations") { return .registration }
        if path.contains("/registrations/") { return .unregistration }
        return .other
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension String {
    /// The value of a field of a form body.
    func field(_ name: String) -> String? {
        split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
}
