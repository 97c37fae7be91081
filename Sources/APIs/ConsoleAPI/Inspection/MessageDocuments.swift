package import JSON
package import PushCore
package import PushModel
package import Reports
package import Timekeeping

/// Messages as the inspector shows them.
package struct MessageDocuments: Sendable {
    let tokens: RegistrationTokenCodec
    let clock: any WallClock

    package init(tokens: RegistrationTokenCodec, clock: any WallClock) {
        self.tokens = tokens
        self.clock = clock
    }

    static var schemas: [String: ConsoleSchema] {
        let message: ConsoleSchema = .object([
            .required("messageId", .text(1)), .required("acceptedAt", .time), .required("expiresAt", .time),
            .required("target", .map(.text(), maximumMembers: 1), "What the sender named; tokens are shortened."),
            .required("title", .text()), .optional("door", .text(), "Through which API it came."),
            .optional("sender", .text(), "Whose credentials were used."),
            .optional("label", .text(), "The analytics label."), .optional("campaignId", .text()),
            .required("state", .choice(["SPLITTING", "SENDING", "DONE", "FAILED"])),
            .required("counts", .map(.count, maximumMembers: 20)),
        ])
        return [
            "InspectedMessage": message,
            "MessageDetails": .object([
                .required("message", .reference("InspectedMessage")),
                .required("request", .map(.anything, maximumMembers: 50), "The message as it was asked for."),
                .required(
                    "validation",
                    .object([
                        .required("isValid", .flag), .required("explanation", .text()),
                        .required("violations", .list(.anything, maximumItems: 50)),
                        .optional("payloadBytes", .count), .optional("maximumPayloadBytes", .count),
                    ])),
                .required("translation", .map(.anything, maximumMembers: 20), "What platforms get."),
                .required("deliveries", .list(.reference("Delivery"), maximumItems: ConsolePage.maximumSize)),
                .optional("nextPageToken", .text()),
            ]),
            "Delivery": .object([
                .required("deliveryId", .text(1)),
                .optional("registration", .reference("Device")),
                .required("channel", .text()), .required("state", .text()), .optional("reason", .text()),
                .required("attempts", .list(.anything, maximumItems: 200)),
                .required("reports", .list(.anything, maximumItems: 20)),
                .optional("translation", .map(.anything, maximumMembers: 20)),
                .optional("explanation", .text(), "Why it did not arrive, or has not yet."),
                .optional("nextStep", .text(), "What to do about it."),
            ]),
        ]
    }

    package func summary(_ message: InspectedMessage) -> JSONObject {
        var object: JSONObject = [
            "messageId": .string(message.id.description), "acceptedAt": .string(message.acceptedAt.rfc3339),
            "expiresAt": .string(message.expiresAt.rfc3339), "target": .object(message.target.shortened),
            "title": .string(message.message.shownTitle), "state": .string(state(of: message.progress)),
            "counts": [
                "targeted": .integer(message.progress.recipients), "accepted": .integer(message.progress.accepted),
                "failed": .integer(message.progress.failed), "expired": .integer(message.progress.expired),
                "pending": .integer(message.progress.pending), "received": .integer(message.reports.received),
                "displayed": .integer(message.reports.displayed), "opened": .integer(message.reports.opened),
                "dismissed": .integer(message.reports.dismissed),
            ],
        ]
        if let origin = message.message.origin {
            object["door"] = .string(origin.door.rawValue)
            if !origin.sender.isEmpty { object["sender"] = .string(origin.sender) }
        }
        if let label = message.message.anyAnalyticsLabel { object["label"] = .string(label.text) }
        if let campaign = message.message.campaignNumber { object["campaignId"] = .string(String(campaign)) }
        return object
    }

    private func state(of progress: MessageProgress) -> String {
        guard progress.isSplit else { return "SPLITTING" }
        guard progress.isDone else { return "SENDING" }
        return progress.recipients > 0 && progress.failed + progress.expired == progress.recipients ? "FAILED" : "DONE"
    }

    package func details(
        _ message: InspectedMessage, of project: Project, _ deliveries: [InspectedDelivery], showsTokens: Bool
    ) -> JSONObject {
        let translation = MessageTranslation(message, of: project)
        return [
            "message": .object(summary(message)), "request": .object(message.requestJSON),
            "validation": .object(translation.validation), "translation": .object(translation.json),
            "deliveries": .array(
                deliveries.map { .object(delivery($0, translation, showsTokens: showsTokens)) }),
        ]
    }

    // MARK: Deliveries

    private func delivery(
        _ delivery: InspectedDelivery, _ translation: MessageTranslation, showsTokens: Bool
    ) -> JSONObject {
        var object: JSONObject = [
            "deliveryId": .string(String(delivery.id.value)), "channel": .string(channel(of: delivery)),
            "state": .string(state(of: delivery)), "attempts": .array(attempts(of: delivery)),
            "reports": .array(
                delivery.reports.map {
                    ["event": .string($0.event.kind.name), "at": .string($0.event.occurredAt.rfc3339)]
                }),
        ]
        if let registration = delivery.registration {
            object["registration"] = .object(
                DeviceDocuments(tokens: tokens).json(
                    InspectedRegistration(registration: registration, endedAt: nil), showsTokens: showsTokens))
            if let push = translation.push(to: registration, pushID: delivery.detail, showsToken: showsTokens) {
                object["translation"] = .object(push)
            }
        }
        if case .failed(let reason) = delivery.state { object["reason"] = .string(reason.rawValue) }
        if let explanation = delivery.explanation(now: clock.now()) {
            object["explanation"] = .string(explanation.text)
            object["nextStep"] = .string(explanation.nextStep)
        }
        return object
    }

    private func channel(of delivery: InspectedDelivery) -> String {
        switch delivery.registration?.channel {
        case .apple?:
            let isOnChannel = delivery.state == .inInbox || delivery.state == .accepted && delivery.detail.isEmpty
            return isOnChannel ? "DEVICE_CHANNEL" : "APNS"
        case .device?: return "DEVICE_CHANNEL"
        case .web?: return "WEB_PUSH"
        case nil: return "UNKNOWN"
        }
    }

    private func state(of delivery: InspectedDelivery) -> String {
        switch delivery.state {
        case .waiting, .inInbox: "WAITING"
        case .accepted: !delivery.reports.isEmpty || delivery.detail.isEmpty ? "DELIVERED" : "ACCEPTED"
        case .failed(.expired): "EXPIRED"
        case .failed(.superseded): "SUPERSEDED"
        case .failed(.discarded): "DISCARDED"
        case .failed: "FAILED"
        }
    }

    /// The tries that were kept, and the last one.
    private func attempts(of delivery: InspectedDelivery) -> [JSONValue] {
        var attempts: [JSONValue] = delivery.tries.map { one in
            ["at": .string(one.time.rfc3339), "status": .integer(one.status), "reason": .string(one.reason)]
        }
        guard let endedAt = delivery.endedAt else { return attempts }
        var last: JSONObject = ["at": .string(endedAt.rfc3339)]
        switch delivery.state {
        case .accepted:
            last["status"] = 200
            last["reason"] = ""
            if !delivery.detail.isEmpty { last["apnsId"] = .string(delivery.detail) }
        case .failed where !delivery.detail.isEmpty:
            last["status"] = .integer(APNsReason.known(delivery.detail)?.status ?? 0)
            last["reason"] = .string(delivery.detail)
        default: return attempts
        }
        if channel(of: delivery) != "APNS" { last["channel"] = .string(channel(of: delivery)) }
        attempts.append(.object(last))
        return attempts
    }
}

extension Message {
    /// What a person knows the message by.
    var shownTitle: String {
        let alert = apns?.payload?["aps"]?["alert"]
        return notification?.title ?? alert?["title"]?.string ?? alert?.string ?? android?.notification?["title"]?
            .string
            ?? notification?.body ?? ""
    }
}

extension SendTarget {
    /// The target with its tokens shortened.
    var shortened: JSONObject {
        switch self {
        case .token(let token): ["token": .string(token.shortenedToken)]
        case .fid(let fid): ["fid": .string(fid.text)]
        case .tokens(let tokens): ["tokens": .string(tokens.map(\.shortenedToken).joined(separator: ", "))]
        case .topic(let topic): ["topic": .string(topic.text)]
        case .condition(let condition): ["condition": .string(condition.description)]
        case .segment(let segment): ["segment": .string(segment.summary)]
        }
    }
}

extension Segment {
    fileprivate var summary: String {
        switch rules.count {
        case 0: "all devices"
        case 1: "devices by one rule"
        case let count: "devices by \(count) rules"
        }
    }
}

extension String {
    /// Enough of a token to tell it from others, and not enough to send with.
    var shortenedToken: String { utf8.count > 24 ? "\(prefix(12))…\(suffix(6))" : self }
}
