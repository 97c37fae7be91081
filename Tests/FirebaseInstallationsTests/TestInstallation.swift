import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import JSON

/// One installation on one device, with a server that answers what a test says.
struct TestInstallation {
    static let apiKey = "AIzaSyA0123456789abcdefghijklmnopqrstuv"
    static let appID = "1:123456789012:ios:0123456789abcdef"

    let device: InMemoryDevice
    let container: FirebaseContainer
    let app: FirebaseApp
    let installations: Installations

    init(
        device: InMemoryDevice = InMemoryDevice(appInfo: FixedAppInfo(bundleID: "com.example.pushdemo")),
        projectID: String? = "demo-pharos", gcmSenderID: String = "123456789012"
    ) throws {
        self.device = device
        let options = FirebaseOptions(googleAppID: Self.appID, gcmSenderID: gcmSenderID)
        options.apiKey = Self.apiKey
        options.projectID = projectID
        container = FirebaseContainer(platform: device.platform)
        // Not the default app: messaging would start with that one and register it.
        app = try container.configure(name: "test", options: options)
        installations = Installations.installations(app: app)
    }

    static func created(_ id: String? = nil, token: String = "auth-1", expiresIn: String = "604800s") -> WebResponse {
        var reply: JSONObject = [
            "refreshToken": "refresh-1", "authToken": ["token": .string(token), "expiresIn": .string(expiresIn)],
        ]
        if let id { reply["fid"] = .string(id) }
        return WebResponse(status: 200, body: reply.encoded)
    }

    static func generated(_ token: String) -> WebResponse {
        let reply: JSONObject = ["token": .string(token), "expiresIn": "604800s"]
        return WebResponse(status: 200, body: reply.encoded)
    }

    /// Answers `create` and `generate`; everything else with 200.
    func answerNormally() {
        device.transport.answer { request in
            if request.url.hasSuffix(":generate") { return .success(Self.generated("auth-2")) }
            return .success(request.method == "POST" ? Self.created() : WebResponse(status: 200))
        }
    }

    func id() -> (String?, (any Error)?) {
        let result = Record<(String?, (any Error)?)>()
        installations.installationID { result.append(($0, $1)) }
        device.executor.drain()
        return result.entries.first ?? (nil, nil)
    }

    /// The result of asking for a token, once everything that can run did run.
    func token(force: Bool = false) -> Record<Result<String, InstallationsErrorCode>> {
        let result = Record<Result<String, InstallationsErrorCode>>()
        installations.authTokenForcingRefresh(force) { token, error in
            if let token { result.append(.success(token.authToken)) }
            if let error = error as? InstallationsErrorCode { result.append(.failure(error)) }
        }
        device.executor.drain()
        return result
    }

    func delete() -> Record<InstallationsErrorCode?> {
        let result = Record<InstallationsErrorCode?>()
        installations.delete { result.append($0 as? InstallationsErrorCode) }
        device.executor.drain()
        return result
    }

    var changes: Int {
        device.notifications.record.entries.filter { $0.name == .InstallationIDDidChange }.count
    }
}

extension Result where Failure == InstallationsErrorCode {
    var code: InstallationsErrorCode.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
