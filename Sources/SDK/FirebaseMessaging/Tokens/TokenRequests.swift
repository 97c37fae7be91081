import FirebaseCore
import FirebasePlatform

/// The register and delete calls of registration tokens.
struct TokenRequests: Sendable {
    var url: String
    var bundleID: String
    var appVersion: String
    var osVersion: String
    var firebaseAppID: String

    struct Fetch: Sendable {
        var key: TokenRecord.Key
        var installationID: String
        var installationsAuth: String
        var apns: APNSBinding?
        var userAgent: String
        var heartbeatCode: Int
    }

    func fetch(_ fetch: Fetch, checkIn: CheckIn) -> WebRequest {
        var form = standardForm(scope: fetch.key.scope, credentials: checkIn.credentials)
        form.add("sender", fetch.key.sender)
        form.add("X-subtype", fetch.key.sender)
        form.add("appid", fetch.installationID)
        if let apns = fetch.apns { form.add("apns_token", apns.prefixedHex) }
        form.add("gmp_app_id", firebaseAppID)
        var headers = standardHeaders(checkIn.credentials)
        if !checkIn.versionInfo.isEmpty { headers.append(.init("info", checkIn.versionInfo)) }
        headers.append(.init("X-firebase-client", fetch.userAgent))
        headers.append(.init("X-firebase-client-log-type", String(fetch.heartbeatCode)))
        headers.append(.init("x-goog-firebase-installations-auth", fetch.installationsAuth))
        return request(headers, form)
    }

    /// - Parameters:
    ///   - key: `nil` to clear everything that the credentials stand for, after a reinstall.
    ///   - forgetsInstance: Whether the server also forgets the whole instance.
    func delete(
        _ key: TokenRecord.Key?, forgetsInstance: Bool, installationID: String?, installationsAuth: String?,
        credentials: CheckInCredentials
    ) -> WebRequest {
        var form = standardForm(scope: key?.scope, credentials: credentials)
        form.add("delete", "true")
        if forgetsInstance { form.add("iid-operation", "delete") }
        if let sender = key?.sender { form.add("sender", sender) }
        if let installationID { form.add("appid", installationID) }
        var headers = standardHeaders(credentials)
        if let installationsAuth { headers.append(.init("x-goog-firebase-installations-auth", installationsAuth)) }
        return request(headers, form)
    }

    private func standardForm(scope: String?, credentials: CheckInCredentials) -> RegisterForm {
        var form = RegisterForm()
        form.add("X-osv", osVersion)
        form.add("device", String(credentials.deviceID))
        if let scope { form.add("X-scope", scope) }
        form.add("plat", "2")
        form.add("app", bundleID)
        form.add("app_ver", appVersion)
        form.add("X-cliv", "fiid-\(sdkVersion)")
        return form
    }

    private func standardHeaders(_ credentials: CheckInCredentials) -> [WebRequest.Header] {
        [
            .init("Content-Type", "application/x-www-form-urlencoded"),
            .init("Authorization", credentials.authorization),
            .init("app", bundleID),
        ]
    }

    private func request(_ headers: [WebRequest.Header], _ form: RegisterForm) -> WebRequest {
        WebRequest(method: "POST", url: url, headers: headers, body: form.encoded, session: .ephemeral)
    }
}
