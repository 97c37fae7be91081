import JSON
import LegacyAPI
import PushModel
import Testing
import Timekeeping
import XMPPWire

@testable import XMPPAPI

@Suite struct `JSON of app servers` {
    static let malformed: [(name: String, json: String, text: String)] = [
        (
            "no id, XMP-01", "{\"to\":\"t\",\"data\":{\"a\":\"1\"}}",
            "JSON_PARSING_ERROR : Missing Required Field: message_id"
        ),
        (
            "an empty id", "{\"to\":\"t\",\"message_id\":\"\"}",
            "JSON_PARSING_ERROR : Missing Required Field: message_id"
        ),
        ("no id but null", "{\"message_id\":null}", "JSON_PARSING_ERROR : Missing Required Field: message_id"),
        (
            "a number as id, XMP-02", "{\"to\":\"t\",\"message_id\":7,\"data\":{\"a\":\"1\"}}",
            "JSON_TYPE_ERROR : Field \"message_id\" must be a JSON string: 7"
        ),
        ("no JSON, XMP-06", "{\"to\": token, \"message_id\"", "JSON_PARSING_ERROR : "),
        ("nothing", "", "JSON_PARSING_ERROR : "),
        ("an array", "[]", "JSON_PARSING_ERROR : not a JSON object"),
        ("two objects", "{}{}", "JSON_PARSING_ERROR : "),
    ]

    @Test(arguments: malformed.indices) func `that has no usable id`(row: Int) {
        let row = Self.malformed[row]
        guard case .malformed(let text) = CCSIncoming(row.json) else {
            return #expect(Bool(false), "\(row.name)")
        }
        #expect(text.hasPrefix("InvalidJson: " + row.text), "\(row.name)")
    }

    static let refused: [(name: String, members: String, description: String)] = [
        ("several ids, XMP-07", "\"registration_ids\":[\"t\"]", "\"registration_ids\" field is not supported"),
        ("no target", "\"data\":{}", "InvalidJson: JSON_PARSING_ERROR : Missing Required Field: to"),
        ("an empty target", "\"to\":\"\"", "Missing Required Field: to"),
        ("a number as target", "\"to\":5", "Field \"to\" must be a JSON string: 5"),
        ("two targets", "\"to\":\"t\",\"condition\":\"'a' in topics\"", "Must use either"),
        ("a bad topic", "\"to\":\"/topics/ü\"", "Malformed topic name"),
        (
            "text as time to live", "\"to\":\"t\",\"time_to_live\":\"abc\"",
            "Field \"time_to_live\" must be a JSON number"
        ),
        ("text as data", "\"to\":\"t\",\"data\":\"x\"", "Field \"data\" must be a JSON object"),
        ("a reserved key", "\"to\":\"t\",\"data\":{\"from\":\"x\"}", "\"data\" key \"from\" is reserved"),
        (
            "a number as wish for a receipt", "\"to\":\"t\",\"delivery_receipt_requested\":1",
            "Field \"delivery_receipt_requested\" must be a JSON boolean"
        ),
        ("text as dry run", "\"to\":\"t\",\"dry_run\":\"true\"", "Field \"dry_run\" must be a JSON boolean"),
        ("an unknown kind", "\"to\":\"t\",\"message_type\":\"x\"", "Unknown message_type"),
    ]

    @Test(arguments: refused.indices) func `that is refused by its id`(row: Int) {
        let row = Self.refused[row]
        guard case .refused("m", _, .invalidJSON, let text) = CCSIncoming("{\"message_id\":\"m\",\(row.members)}")
        else {
            return #expect(Bool(false), "\(row.name)")
        }
        #expect(text.contains(row.description), "\(row.name): \(text)")
    }

    @Test(arguments: ["t", "/topics/news", "APA91bKey"]) func `that names a target`(to: String) {
        guard case .downstream(let downstream) = CCSIncoming("{\"to\":\"\(to)\",\"message_id\":\"m\",\"x\":1}") else {
            return #expect(Bool(false))
        }
        #expect(downstream.messageID == "m")
        #expect(downstream.message.recipient == to)
    }

    @Test(
        arguments: [
            "{\"message_type\":\"ack\"}", "{\"message_type\":\"ack\",\"message_id\":\"u\"}",
            "{\"message_type\":\"ack\",\"to\":\"t\"}", "{\"message_type\":\"ack\",\"to\":\"t\",\"message_id\":1}",
        ])
    func `that acknowledges without saying what`(json: String) {
        guard case .refused(_, _, .badAcknowledgement, _) = CCSIncoming(json) else { return #expect(Bool(false)) }
    }

    // MARK: Answers

    static let codes: [(LegacyErrorCode, String)] = [
        (.missingRegistration, "INVALID_JSON"), (.invalidPackageName, "INVALID_JSON"),
        (.invalidParameters, "INVALID_JSON"), (.messageTooBig, "INVALID_JSON"), (.invalidDataKey, "INVALID_JSON"),
        (.invalidTimeToLive, "INVALID_JSON"), (.invalidRegistration, "BAD_REGISTRATION"),
        (.notRegistered, "DEVICE_UNREGISTERED"), (.mismatchSenderID, "SENDER_ID_MISMATCH"),
        (.unavailable, "SERVICE_UNAVAILABLE"), (.quotaExceeded, "SERVICE_UNAVAILABLE"),
        (.internalServerError, "INTERNAL_SERVER_ERROR"),
        (.deviceMessageRateExceeded, "DEVICE_MESSAGE_RATE_EXCEEDED"),
        (.topicsMessageRateExceeded, "TOPICS_MESSAGE_RATE_EXCEEDED"),
        (.invalidAPNsCredential, "INVALID_APNS_CREDENTIAL"),
    ]

    private func reply(_ outcome: SingleMessageSender.Outcome) throws -> JSONValue {
        guard case .downstream(let downstream) = CCSIncoming("{\"to\":\"t&<\",\"message_id\":\"m\"}") else {
            throw CancellationError()
        }
        let stanza = CCSReply.reply(to: downstream, outcome)
        #expect(stanza.attributes.isEmpty, "a type would hide it from some clients")
        return try JSONValue(parsing: GCMElement.text(in: stanza) ?? "")
    }

    @Test(arguments: codes.indices) func `refusal of each kind`(row: Int) throws {
        let (code, name) = Self.codes[row]
        let json = try reply(.failed(code, detail: "why"))
        #expect(json["message_type"] == "nack")
        #expect(json["message_id"] == "m")
        #expect(json["from"] == "t&<")
        #expect(json["error"] == .string(name))
        #expect(json["error_description"]?.string?.isEmpty == false)
    }

    @Test func `acknowledgements of each kind`() throws {
        #expect(
            try reply(.accepted(currentToken: nil)) == ["from": "t&<", "message_id": "m", "message_type": "ack"])
        #expect(
            try reply(.accepted(currentToken: "new"))
                == ["from": "t&<", "message_id": "m", "message_type": "ack", "registration_id": "new"])
        #expect(
            try reply(.group(accepted: 2, failed: ["x"]))
                == [
                    "from": "t&<", "message_id": "m", "message_type": "ack", "success": 2, "failure": 1,
                    "failed_registration_ids": ["x"],
                ])
    }

    // MARK: Upstream

    private func upstream(_ kind: UpstreamDraft.Kind, raw: [UInt8]? = nil) throws -> JSONValue {
        let draft = UpstreamDraft(
            project: SessionRun.project.number, kind: kind, from: "t", category: "com.example.app", messageID: "u",
            data: [.init(key: "k", value: "Fish & <chips>")], rawData: raw, timeToLiveSeconds: 60,
            expiresAt: Timestamp(seconds: 0))
        let stanza = GCMElement.message(UpstreamMessage(id: UpstreamID(value: 1), content: draft))
        return try JSONValue(parsing: GCMElement.text(in: stanza) ?? "")
    }

    @Test func `messages of apps`() throws {
        #expect(
            try upstream(.message)
                == [
                    "category": "com.example.app", "data": ["k": "Fish & <chips>"], "message_id": "u", "from": "t",
                    "time_to_live": 60,
                ])
        #expect(try upstream(.message, raw: [1, 2])["raw_data"] == "AQI=")
        #expect(try upstream(.receipt)["message_type"] == "receipt")
    }
}
