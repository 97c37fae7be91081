import Bytes
import JSON
import PushCore
import PushModel
import Timekeeping

/// What the emulator remembers of one message.
struct JournalEntry: Sendable {
    /// What the emulator remembers of one recipient.
    struct Recipient: Sendable {
        var registration: Registration
        var push: ApplePush?
        /// What was written to the device's connection, last.
        var deviceMessage: DeviceMessage?
        var answers: [GatewayAnswer] = []
        var outcome: DeliveryOutcome?
        /// What the virtual iPhone told, in order.
        var deviceEvents: [JSONValue] = []
        /// What the app reported to the service, in order.
        var reports: [ReportedEvent] = []
    }

    let message: ValidatedMessage
    private(set) var recipients: [Recipient] = []
    /// Whether every member of a topic or condition is among the recipients.
    private(set) var isComplete: Bool
    private var placesByRegistration: [RegistrationID: Int] = [:]
    private var placesByFID: [String: Int] = [:]

    init(message: ValidatedMessage, recipients: [Registration]) {
        self.message = message
        isComplete = !message.target.isTopic
        add(recipients)
    }

    private mutating func add(_ registrations: [Registration]) {
        for registration in registrations where placesByRegistration[registration.id] == nil {
            placesByRegistration[registration.id] = recipients.count
            placesByFID[registration.fid] = recipients.count
            recipients.append(Recipient(registration: registration))
        }
    }

    /// A message to a topic or condition found more members.
    mutating func reaches(_ registrations: [Registration], isLast: Bool) {
        add(registrations)
        if isLast { isComplete = true }
    }

    mutating func update(_ registration: RegistrationID, _ body: (inout Recipient) -> Void) {
        if let place = placesByRegistration[registration] { body(&recipients[place]) }
    }

    mutating func update(fid: String, _ body: (inout Recipient) -> Void) {
        if let place = placesByFID[fid] { body(&recipients[place]) }
    }

    /// Whether every recipient has an outcome, and every one that a virtual iPhone plays has told something.
    func isSettled(playedDevices: Set<String>) -> Bool {
        isComplete
            && recipients.allSatisfy { recipient in
                guard case .accepted = recipient.outcome else { return recipient.outcome != nil }
                return !recipient.deviceEvents.isEmpty || !playedDevices.contains(recipient.registration.fid)
            }
    }

    /// The entry as `/emulator/v1/messages` shows it.
    /// - Parameter token: The registration's current token.
    func json(token: (Registration) -> String) -> JSONValue {
        [
            "message_id": .string(message.id.description),
            "name": .string("projects/\(message.project.id)/messages/\(message.id)"),
            "project": .string(message.project.id.text),
            "target": target,
            "message": (try? JSONValue(parsing: MessageArchive.encode(message.message, target: message.target)))
                ?? .null,
            "accepted_at_ms": .integer(message.acceptedAt.milliseconds),
            "expires_at_ms": .integer(message.expiresAt.milliseconds),
            "targets_complete": .bool(isComplete),
            "targets": .array(recipients.map { $0.json(token: token($0.registration)) }),
        ]
    }

    private var target: JSONValue {
        switch message.target {
        case .token(let text): ["token": .string(text)]
        case .fid(let fid): ["fid": .string(fid.text)]
        case .tokens(let tokens): ["tokens": .array(tokens.map { .string($0) })]
        case .topic(let topic): ["topic": .string(topic.text)]
        case .condition(let condition): ["condition": .string(condition.description)]
        case .segment(let segment): ["segment": segment.json]
        }
    }
}

extension JournalEntry.Recipient {
    fileprivate func json(token: String) -> JSONValue {
        var object: JSONObject = [
            "fid": .string(registration.fid),
            "token": .string(token),
            "bundle_id": .string(registration.bundleID),
            "outcome": .string(outcomeName),
            "answers": .array(answers.map(\.json)),
            "device_events": .array(deviceEvents),
            "reports": .array(reports.map(\.json)),
        ]
        if let push { object["apns"] = push.json }
        if let deviceMessage { object["device_channel"] = deviceMessage.json }
        if case .failed(let error) = outcome { object["error"] = error.json }
        return .object(object)
    }

    private var outcomeName: String {
        switch outcome {
        case nil: "pending"
        case .accepted: "accepted"
        case .failed: "failed"
        case .expired: "expired"
        case .superseded: "superseded"
        case .discarded: "discarded"
        }
    }
}

extension ApplePush {
    /// The push as an APNs request: path, headers, payload as text.
    fileprivate var json: JSONValue {
        [
            "path": .string("/3/device/" + pathToken),
            "environment": .string(environment.rawValue),
            "headers": .object(JSONObject(headers.map { ($0.key, .string($0.value)) })),
            "payload": .string(String(decoding: payload, as: UTF8.self)),
        ]
    }
}

extension ReportedEvent {
    /// The event under the names of the BigQuery export.
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "event": .string(kind.name), "at_ms": .integer(occurredAt.milliseconds), "app_name": .string(appName),
            "message_type": .string(messageType == .display ? "DISPLAY_NOTIFICATION" : "DATA_MESSAGE"),
        ]
        if let topic { object["topic"] = .string(topic) }
        if let analyticsLabel { object["analytics_label"] = .string(analyticsLabel) }
        return .object(object)
    }
}

extension DeviceMessage {
    /// The message as a data message stanza.
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "persistent_id": .string(persistentID), "from": .string(from), "category": .string(category),
            "app_data": .object(JSONObject(data.map { ($0.key, .string($0.value)) })),
            "ttl": .integer(timeToLiveSeconds), "sent_ms": .integer(sentAt.milliseconds),
        ]
        if let collapseKey { object["token"] = .string(collapseKey) }
        if let rawData { object["raw_data"] = .string(Base64URL.encode(rawData)) }
        return .object(object)
    }
}

extension GatewayAnswer {
    fileprivate var json: JSONValue {
        switch self {
        case .accepted(let id): ["answer": "accepted", "status": 200, "apns_id": .string(id)]
        case .rejected(let error): ["answer": "rejected", "error": error.json]
        case .retry(let delay, let error):
            ["answer": "retry", "after_ms": .integer(delay), "error": error.json]
        case .unregistered(let error, let time):
            [
                "answer": "unregistered", "error": error.json,
                "invalid_at_ms": time.map { .integer($0.milliseconds) } ?? .null,
            ]
        }
    }
}

extension SendError {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["kind": .string("\(kind)"), "message": .string(message)]
        if let apns {
            object["apns"] = ["status": .integer(apns.status), "reason": .string(apns.reason)]
        }
        return .object(object)
    }
}
