import JSON
import LegacyAPI

/// A message that an app server sends.
struct CCSDownstream: Sendable, Equatable {
    /// The app server's own id, by which it is answered.
    let messageID: String
    let message: SingleMessage
}

/// The JSON of an app server, read.
enum CCSIncoming: Sendable, Equatable {
    case downstream(CCSDownstream)
    /// The app server has the upstream message of that id and origin.
    case acknowledgement(messageID: String, sender: String)
    /// It can be answered by its id.
    case refused(messageID: String, recipient: String, CCSErrorCode, description: String)
    /// Not even an id can be read: the answer is an error of the stanza.
    case malformed(String)

    init(_ text: String) {
        do {
            self = try Self.read(text)
        } catch {
            self = .malformed("InvalidJson: " + error.text)
        }
    }

    private static func read(_ text: String) throws(CCSFormatError) -> CCSIncoming {
        let object = try object(in: text)
        let type = object["message_type"]
        if type == "ack" { return acknowledgement(object) }
        guard let id = object["message_id"], id != .null, id != "" else {
            throw CCSFormatError(text: "JSON_PARSING_ERROR : Missing Required Field: message_id")
        }
        guard let messageID = id.string else {
            throw CCSFormatError(
                text: "JSON_TYPE_ERROR : Field \"message_id\" must be a JSON string: \(id.text.prefix(100))")
        }
        let recipient = object["to"]?.string ?? ""
        guard type == nil || type == .null else {
            return .refused(
                messageID: messageID, recipient: recipient, .invalidJSON, description: "Unknown message_type")
        }
        do throws(LegacyFormatError) {
            let message = try SingleMessage(object, messageID: messageID)
            return .downstream(CCSDownstream(messageID: messageID, message: message))
        } catch {
            return .refused(
                messageID: messageID, recipient: recipient, .invalidJSON,
                description: "InvalidJson: \(kind(of: error)) : \(error.text)")
        }
    }

    /// Faults of one field's type have a name of their own.
    private static func kind(of error: LegacyFormatError) -> String {
        error.text.hasPrefix("Field ") ? "JSON_TYPE_ERROR" : "JSON_PARSING_ERROR"
    }

    private static func object(in text: String) throws(CCSFormatError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text)
        } catch {
            throw CCSFormatError(text: "JSON_PARSING_ERROR : \(error) at position \(error.offset)")
        }
        guard let object = value.object else {
            throw CCSFormatError(text: "JSON_PARSING_ERROR : not a JSON object")
        }
        return object
    }

    private static func acknowledgement(_ object: JSONObject) -> CCSIncoming {
        guard let id = object["message_id"]?.string, !id.isEmpty, let sender = object["to"]?.string else {
            return .refused(
                messageID: object["message_id"]?.string ?? "", recipient: object["to"]?.string ?? "",
                .badAcknowledgement, description: "An ack needs \"message_id\" and \"to\"")
        }
        return .acknowledgement(messageID: id, sender: sender)
    }
}

private struct CCSFormatError: Error {
    var text: String
}
