import FirebaseCore
import FirebasePlatform

/// The topic calls of token mode: the register form with a topic as its scope.
struct TokenTopicRequests: Sendable {
    var url: String
    var bundleID: String
    var appVersion: String

    func request(_ action: TopicAction, _ topic: TopicName, token: String, checkIn: CheckIn) -> WebRequest {
        var form = RegisterForm()
        form.add("sender", token)
        form.add("app", bundleID)
        form.add("device", String(checkIn.credentials.deviceID))
        form.add("app_ver", appVersion)
        form.add("X-gcm.topic", topic.path)
        form.add("X-scope", topic.path)
        if action == .unsubscribe { form.add("delete", "true") }
        var headers: [WebRequest.Header] = [
            .init("Content-Type", "application/x-www-form-urlencoded"),
            .init("Authorization", checkIn.credentials.authorization),
            .init("app", bundleID),
        ]
        if !checkIn.versionInfo.isEmpty { headers.append(.init("info", checkIn.versionInfo)) }
        return WebRequest(method: "POST", url: url, headers: headers, body: form.encoded)
    }

    /// Only the body counts: it starts with `token=`, whatever the token is.
    ///
    /// - Throws: `MessagingError` 0 with what the server said; `WebError` when the server was in trouble.
    static func check(_ response: WebResponse) throws {
        if response.body.starts(with: "token=".utf8) { return }
        try response.checkAvailable()
        guard !response.body.isEmpty else { throw MessagingError(.unknown, reason: "The reply is empty.") }
        let text = String(decoding: response.body.prefix(1024), as: UTF8.self)
        throw MessagingError(.unknown, reason: "The reply to the topic call holds no token: \(text)")
    }
}

/// The topic calls of an app that registers with its installation id.
struct InstallationTopicRequests: Sendable {
    var baseURL: String
    var project: String
    var apiKey: String

    func request(
        _ action: TopicAction, _ topic: TopicName, installationID: String, installationsAuth: String
    ) -> WebRequest {
        let verb = action == .subscribe ? "subscribe" : "unsubscribe"
        return WebRequest(
            method: "POST",
            url: "\(baseURL)/v1/projects/\(project)/registrations/\(installationID)"
                + "/topicSubscriptions/\(topic.pathSegment):\(verb)",
            headers: [
                .init("Accept", "application/json"),
                .init("Content-Type", "application/json"),
                .init("X-Goog-Api-Key", apiKey),
                .init("X-Goog-Firebase-Installations-Auth", installationsAuth),
            ])
    }

    /// - Throws: `MessagingError` 0 for any status but 200 and 201; `WebError` when the server was in trouble.
    static func check(_ response: WebResponse) throws {
        if response.status == 200 || response.status == 201 { return }
        try response.checkAvailable()
        throw RegistrationReply.failure(response)
    }
}

extension WebResponse {
    /// A server that is in trouble or has too much to do has not answered: its 5xx or 429 counts as
    /// `NSURLErrorBadServerResponse`, which is tried again.
    fileprivate func checkAvailable() throws(WebError) {
        guard status >= 500 || status == 429 else { return }
        throw WebError(
            errorCode: WebError.badServerResponse.errorCode, failureReason: "The server answered with status \(status)."
        )
    }
}
