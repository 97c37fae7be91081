import Bytes
import HTTPSemantics
import JSON
import Timekeeping

/// What the judge looks up about devices.
protocol DeviceTokenLookup {
    /// The registration of a token, lower-case hexadecimal.
    func registration(ofToken token: String) -> TokenRegistration?
    /// Takes one push to a token out of its allowance; `false` when there is none left.
    mutating func spendAllowance(ofToken token: String, now: Timestamp) -> Bool
}

/// Decides on one request: accepted, or refused for one reason. Knows no socket and no clock.
///
/// The checks go from the request's shape over the sender to the device, so that a sender without a valid token learns
/// nothing about devices. Apple does not document an order.
struct APNsRequestJudge {
    var rules = JudgeRules()

    /// - Parameter newID: Makes the `apns-id` of a request that has none.
    func judge(
        _ request: APNsRequest, on connection: inout ConnectionIdentity, keys: inout ProviderKeyRegistry,
        devices: inout some DeviceTokenLookup, now: Timestamp, newID: () -> String
    ) throws(Rejection) -> JudgedPush {
        try checkShape(request)
        let environment = connection.environment ?? SimulatedEnvironment(host: request.authority)
        let key = try authenticate(request, on: &connection, environment: environment, keys: &keys, now: now)
        guard let pathToken = request.pathToken, !pathToken.isEmpty else { throw Rejection(.missingDeviceToken) }
        let headers = try PushHeaders(request.fields)
        let topic = try topic(of: request, headers: headers, key: key, certificate: connection.certificate)
        try checkPayload(request.body, type: topic.type)
        let token = try deviceToken(pathToken)
        try checkDevice(token: token, topic: topic.text, environment: environment, devices: &devices, now: now)
        if let key { connection.bind(to: key, environment: environment) }
        return JudgedPush(
            id: headers.id ?? newID(), token: token, topic: topic.text, type: topic.type, priority: headers.priority,
            expiration: headers.expiration, collapseID: headers.collapseID, headers: recorded(request.fields),
            payload: request.body)
    }

    /// Whether the request's sender is genuine and may use this connection, whatever the rest is like.
    func recognises(
        _ request: APNsRequest, on connection: inout ConnectionIdentity, keys: inout ProviderKeyRegistry,
        now: Timestamp
    ) -> Bool {
        let environment = connection.environment ?? SimulatedEnvironment(host: request.authority)
        do throws(Rejection) {
            let key = try authenticate(request, on: &connection, environment: environment, keys: &keys, now: now)
            if let key { connection.bind(to: key, environment: environment) }
            return true
        } catch {
            return false
        }
    }

    // MARK: Shape

    private func checkShape(_ request: APNsRequest) throws(Rejection) {
        guard request.method == "POST" else { throw Rejection(.methodNotAllowed) }
        let isDevicePath = request.path == "/3/device" || request.pathToken.map { !$0.contains("/") } ?? false
        guard isDevicePath else { throw Rejection(.badPath) }
        var seen: Set<String> = []
        for line in request.fields.lines where line.name != "cookie" {
            guard seen.insert(line.name).inserted else { throw Rejection(.duplicateHeaders) }
        }
    }

    private func recorded(_ fields: HTTPFields) -> [String: String] {
        var headers: [String: String] = [:]
        for line in fields.lines where line.name != "authorization" { headers[line.name] = line.value }
        return headers
    }

    // MARK: Sender

    /// - Returns: The key of the provider token; `nil` when a certificate speaks for the sender.
    func authenticate(
        _ request: APNsRequest, on connection: inout ConnectionIdentity, environment: SimulatedEnvironment?,
        keys: inout ProviderKeyRegistry, now: Timestamp
    ) throws(Rejection) -> ProviderKey? {
        if let certificate = connection.certificate {
            if certificate.isRevoked { throw Rejection(.badCertificate) }
            guard environment.map(certificate.environments.contains) ?? true else {
                throw Rejection(.badCertificateEnvironment)
            }
            return nil
        }
        let rules = rules.authentication
        guard let authorization = request.fields["authorization"] else { throw Rejection(.missingProviderToken) }
        let (token, key) = try keys.verify(authorization: authorization, now: now, rules: rules)
        try connection.check(key, environment: environment, rules: rules)
        try connection.note(token, authorization: authorization, now: now, rules: rules)
        return key
    }

    // MARK: Topic

    private func topic(
        of request: APNsRequest, headers: PushHeaders, key: ProviderKey?, certificate: ClientCertificate?
    ) throws(Rejection) -> (text: String, type: PushType) {
        guard let topic = request.fields["apns-topic"] ?? certificate?.defaultTopic, !topic.isEmpty else {
            throw Rejection(.missingTopic)
        }
        guard isWellFormed(topic: topic) else { throw Rejection(.badTopic) }
        let type = headers.type ?? .inferred(fromTopic: topic)
        guard let bundleID = type.bundleID(ofTopic: topic) else { throw Rejection(.badTopic) }
        if let key {
            guard type != .mdm, key.allows(bundleID: bundleID, topic: topic) else { throw Rejection(.topicDisallowed) }
        }
        if let certificate {
            guard type != .location, certificate.allows(topic: topic) else { throw Rejection(.topicDisallowed) }
        }
        return (topic, type)
    }

    /// Letters, digits, hyphen, period (the characters of a bundle id) and underscore.
    private func isWellFormed(topic: String) -> Bool {
        topic.utf8.count <= 255
            && topic.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    // MARK: Payload

    private func checkPayload(_ body: [UInt8], type: PushType) throws(Rejection) {
        guard !body.isEmpty else { throw Rejection(.payloadEmpty) }
        guard body.count <= rules.maximumPayloadBytes ?? type.maximumPayloadBytes else {
            throw Rejection(.payloadTooLarge)
        }
        guard let payload = try? JSONValue(parsing: body), payload.object != nil else {
            throw Rejection(rules.malformedPayloadReason)
        }
    }

    // MARK: Device

    private func deviceToken(_ text: Substring) throws(Rejection) -> String {
        guard let bytes = Hex.decode(text), !bytes.isEmpty else { throw Rejection(.badDeviceToken) }
        return Hex.encode(bytes)
    }

    private func checkDevice(
        token: String, topic: String, environment: SimulatedEnvironment?, devices: inout some DeviceTokenLookup,
        now: Timestamp
    ) throws(Rejection) {
        guard let registration = devices.registration(ofToken: token) else {
            guard rules.acceptsUnknownTokens else { throw Rejection(.badDeviceToken) }
            return try spend(token, devices: &devices, now: now)
        }
        guard environment == nil || environment == registration.environment else { throw Rejection(.badDeviceToken) }
        guard registration.topic == topic else { throw Rejection(.deviceTokenNotForTopic) }
        if let rejection = registration.end?.rejection(now: now) { throw rejection }
        try spend(token, devices: &devices, now: now)
    }

    private func spend(
        _ token: String, devices: inout some DeviceTokenLookup, now: Timestamp
    ) throws(Rejection) {
        guard devices.spendAllowance(ofToken: token, now: now) else { throw Rejection(.tooManyRequests) }
    }
}
