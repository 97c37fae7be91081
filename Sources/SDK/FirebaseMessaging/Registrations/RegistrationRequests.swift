import FirebaseCore
import FirebasePlatform
import JSON

/// The calls that register an installation id itself.
struct RegistrationRequests: Sendable {
    var baseURL: String
    var project: String
    var apiKey: String
    var bundleID: String
    var appVersion: String

    /// - Parameter device: The device of the direct channel, `nil` when there is none or the server knows nothing of it.
    func register(_ apns: APNSBinding, device: CheckInCredentials?, installationsAuth: String) -> WebRequest {
        let body: JSONValue = [
            "ios": [
                "apns_token": .string(apns.hex), "app_version": .string(appVersion),
                "apns_environment": .string(apns.isSandbox ? "SANDBOX" : "PROD"), "bundle_id": .string(bundleID),
            ],
            "fcm_sdk_version": .string("fcm-\(sdkVersion)"),
        ]
        var request = request("POST", "", installationsAuth: installationsAuth, body: body.encoded)
        request.headers.insert(.init("Content-Type", "application/json"), at: 0)
        if let device { request.headers.append(.init("Authorization", device.authorization)) }
        return request
    }

    func unregister(_ installationID: String, installationsAuth: String) -> WebRequest {
        request("DELETE", "/\(installationID)", installationsAuth: installationsAuth, body: [])
    }

    private func request(_ method: String, _ path: String, installationsAuth: String, body: [UInt8]) -> WebRequest {
        WebRequest(
            method: method, url: "\(baseURL)/v1/projects/\(project)/registrations\(path)",
            headers: [
                .init("X-Goog-Api-Key", apiKey),
                .init("X-Goog-Firebase-Installations-Auth", installationsAuth),
            ],
            body: body, session: .ephemeral)
    }
}

enum RegistrationReply {
    /// The id that the reply says is registered: the text after `/registrations/` in `name`.
    ///
    /// - Throws: `MessagingError` 0 for any other status or body.
    static func registeredID(_ response: WebResponse) throws(MessagingError) -> String {
        guard response.status == 200 || response.status == 201 else { throw failure(response) }
        let options = JSONOptions(maximumDepth: 32, maximumBytes: 1 << 20)
        guard let name = (try? JSONValue(parsing: response.body, options: options))?["name"]?.string,
            let range = name.firstRange(of: "/registrations/")
        else { throw MessagingError(.unknown, reason: "The registration reply has no name.") }
        let id = name[range.upperBound...]
        guard !id.isEmpty, !id.contains("/") else {
            throw MessagingError(.unknown, reason: "The registration reply names no installation.")
        }
        return String(id)
    }

    static func failure(_ response: WebResponse) -> MessagingError {
        let text = String(decoding: response.body.prefix(1024), as: UTF8.self)
        return MessagingError(.unknown, reason: "The server answered with status \(response.status): \(text)")
    }
}
