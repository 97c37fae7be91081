import Accounts
import Campaigns
import GoogleAPI
import JSON
import PushCore
import PushModel
import Reports
import Timekeeping

/// Registrations as the inspector shows them.
struct DeviceDocuments: Sendable {
    let tokens: RegistrationTokenCodec

    static let tokensParameter = ConsoleEndpoint.Parameter(
        "tokens", .choice(["short", "full"]), "full shows whole tokens, to editors only.")

    /// - Throws: 403 when the caller may not see them.
    static func showsTokens(_ request: ConsoleRequest) throws(GoogleError) -> Bool {
        guard request.query("tokens") == "full" else { return false }
        guard let role = request.role, role >= .editor else {
            throw GoogleError(.permissionDenied, "Whole tokens are for editors. Ask an administrator for that role.")
        }
        return true
    }

    static var schemas: [String: ConsoleSchema] {
        let device: [ConsoleSchema.Member] = [
            .required("registrationId", .text(1)), .optional("fid", .text(1)),
            .optional("token", .text(1), "Only when it was asked for."),
            .required("tokenHint", .text(), "The beginning and the end of the token."), .optional("appId", .text(1)),
            .required("bundleId", .text()), .required("appVersion", .text()), .required("sdkVersion", .text()),
            .required("channel", .choice(["APNS", "DEVICE_CHANNEL", "WEB_PUSH"])),
            .optional("apnsEnvironment", .text()), .required("mode", .choice(["TOKEN", "FID"])),
            .optional("sender", .text()), .required("state", .text(), "LIVE, or why it ended."),
            .required("createdAt", .time), .required("lastSeenAt", .time), .optional("endedAt", .time),
        ]
        return [
            "Device": .object(device),
            "DeviceDetails": .object(
                device + [
                    .required("registrations", .list(.reference("Device"), maximumItems: 100)),
                    .required(
                        "topics",
                        .list(
                            .object([.required("topic", .text(1)), .required("subscribedAt", .time)]),
                            maximumItems: 200)),
                    .required(
                        "tokenHistory",
                        .list(
                            .object([
                                .required("at", .time), .required("reason", .text(1), "Why it changed."),
                                .required("registrationId", .text(1)), .required("token", .text(), "Shortened."),
                            ]), maximumItems: 2_000)),
                    .required(
                        "pending",
                        .list(
                            .object([
                                .required("messageId", .text(1)), .required("deliveryId", .text(1)),
                                .required("expiresAt", .time), .required("acceptedAt", .time),
                            ]), maximumItems: 100)),
                    .required("pendingCount", .count), .optional("connectedAt", .time),
                    .optional("language", .text(1)), .optional("country", .text(1)), .optional("timeZone", .text(1)),
                    .required("firstOpenedAt", .time), .optional("lastEngagedAt", .time),
                    .required(
                        "properties", .map(.text(), maximumMembers: PropertyLimits.perInstance),
                        "Custom properties of the app instance."),
                ]),
        ]
    }

    func json(_ inspected: InspectedRegistration, showsTokens: Bool) -> JSONObject {
        let registration = inspected.registration
        let token = tokens.token(of: registration)
        var object: JSONObject = [
            "registrationId": .string(String(registration.id.value)), "tokenHint": .string(token.shortenedToken),
            "bundleId": .string(registration.bundleID), "appVersion": .string(registration.appVersion),
            "sdkVersion": .string(registration.sdkVersion), "channel": .string(registration.channelName),
            "mode": registration.isFIDMode ? "FID" : "TOKEN",
            "state": .string(registration.ending.map { $0.rawValue } ?? "LIVE"),
            "createdAt": .string(registration.createdAt.rfc3339),
            "lastSeenAt": .string(registration.confirmedAt.rfc3339),
        ]
        if !registration.fid.isEmpty { object["fid"] = .string(registration.fid) }
        if showsTokens { object["token"] = .string(token) }
        if let app = registration.app { object["appId"] = .string(app.text) }
        if case .apple(let address?) = registration.channel {
            object["apnsEnvironment"] = .string(address.environment.rawValue)
        }
        if !registration.sender.isEmpty { object["sender"] = .string(registration.sender) }
        if let endedAt = inspected.endedAt { object["endedAt"] = .string(endedAt.rfc3339) }
        return object
    }

    func details(_ device: InspectedDevice, showsTokens: Bool) -> JSONObject {
        var object = json(device.registration, showsTokens: showsTokens)
        object["lastSeenAt"] = .string(device.lastSeen.rfc3339)
        object["registrations"] = .array(
            ([device.registration] + device.others).map { .object(json($0, showsTokens: showsTokens)) })
        object["topics"] = .array(
            device.topics.map { ["topic": .string($0.topic.text), "subscribedAt": .string($0.createdAt.rfc3339)] })
        object["tokenHistory"] = .array(device.changes.map { history($0, of: device) })
        object["pending"] = .array(
            device.inbox.map { entry in
                [
                    "messageId": .string(entry.message.description),
                    "deliveryId": .string(String(entry.delivery.value)),
                    "expiresAt": .string(entry.expiresAt.rfc3339),
                    "acceptedAt": .string(Timestamp(milliseconds: entry.message.value / 1000).rfc3339),
                ]
            })
        object["pendingCount"] = .integer(device.pending)
        if let connectedAt = device.connectedAt { object["connectedAt"] = .string(connectedAt.rfc3339) }
        add(device.traits, to: &object)
        return object
    }

    private func add(_ traits: InspectedTraits, to object: inout JSONObject) {
        if let language = traits.language { object["language"] = .string(language) }
        if let country = traits.country { object["country"] = .string(country) }
        if let timeZone = traits.timeZone { object["timeZone"] = .string(timeZone) }
        object["firstOpenedAt"] = .string(traits.firstOpenedAt.rfc3339)
        if let engagedAt = traits.engagedAt { object["lastEngagedAt"] = .string(engagedAt.rfc3339) }
        let properties = traits.properties.sorted { $0.key < $1.key }
        object["properties"] = .object(JSONObject(properties.map { ($0.key, .string($0.value)) }))
    }

    private func history(_ change: RegistrationChange, of device: InspectedDevice) -> JSONValue {
        let own = ([device.registration] + device.others).first { $0.registration.id == change.registration }
        var earlier = own?.registration ?? device.registration.registration
        earlier.tokenNonce = change.nonce
        return [
            "at": .string(change.time.rfc3339), "reason": .string(change.reason),
            "registrationId": .string(String(change.registration.value)),
            "token": .string(tokens.token(of: earlier).shortenedToken),
        ]
    }
}

extension Registration {
    var channelName: String {
        switch channel {
        case .apple: "APNS"
        case .device: "DEVICE_CHANNEL"
        case .web: "WEB_PUSH"
        }
    }
}

extension ConsolePage {
    /// A page of devices.
    static func answer(_ name: String, _ page: DevicePage, _ documents: DeviceDocuments) -> ConsoleAnswer {
        answer(
            name, page.devices.map { .object(documents.json($0, showsTokens: false)) },
            next: page.next.map { String($0.value) })
    }
}
