import JSON
import PushCore
import PushModel

/// Reads the JSON form of `/fcm/send`. Source: legacy HTTP, "Downstream HTTP messages (JSON)".
///
/// Faults of form come first and refuse the whole request; then a value out of range, which every result repeats.
enum LegacyJSONDecoder {
    static func decode(_ body: [UInt8]) throws(LegacyFormatError) -> LegacyRequest {
        try decode(LegacyFields(object: try object(in: body)))
    }

    static func decode(_ fields: LegacyFields) throws(LegacyFormatError) -> LegacyRequest {
        let target = try target(fields)
        let isDryRun = try fields.bool("dry_run") ?? false
        return LegacyRequest(target: target, content: try content(fields), isDryRun: isDryRun)
    }

    private static func object(in body: [UInt8]) throws(LegacyFormatError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body, options: JSONOptions(skipsByteOrderMark: true))
        } catch {
            throw LegacyFormatError(text: "JSON_PARSING_ERROR: \(error) at position \(error.offset).")
        }
        guard let object = value.object else {
            throw LegacyFormatError(text: "JSON_PARSING_ERROR: the body must be a JSON object.")
        }
        return object
    }

    // MARK: Target

    private static func target(_ fields: LegacyFields) throws(LegacyFormatError) -> LegacyRequest.Target {
        let formerName = try fields.text("notification_key")
        let one = try fields.text("to") ?? formerName
        let many = try fields.texts("registration_ids")
        let condition = try fields.text("condition")
        if let many {
            // Some libraries always write `to`, empty when there is a list.
            guard one?.isEmpty != false else {
                throw LegacyFormatError(text: "Must use either \"registration_ids\" field or \"to\", not both")
            }
            guard condition?.isEmpty != false else {
                throw LegacyFormatError(text: "Must use either \"registration_ids\" field or \"condition\", not both")
            }
            return .many(try checked(many))
        }
        guard one?.isEmpty != false || condition == nil else {
            throw LegacyFormatError(text: "Must use either \"condition\" field or \"to\", not both")
        }
        if let condition { return .condition(condition) }
        guard let one, !one.isEmpty else { return .nobody }
        return try named(one)
    }

    private static func checked(_ tokens: [String]) throws(LegacyFormatError) -> [String] {
        guard !tokens.isEmpty else {
            throw LegacyFormatError(text: "\"registration_ids\" field cannot be empty")
        }
        guard tokens.count <= LegacyRequest.maximumTokens else {
            throw LegacyFormatError(
                text: "Number of messages on bulk (\(tokens.count)) exceeds maximum allowed "
                    + "(\(LegacyRequest.maximumTokens))")
        }
        return tokens
    }

    private static func named(_ text: String) throws(LegacyFormatError) -> LegacyRequest.Target {
        let prefix = "/topics/"
        guard text.hasPrefix(prefix) else { return .one(text) }
        guard let topic = TopicName(text.dropFirst(prefix.count)) else {
            throw LegacyFormatError(text: "Malformed topic name")
        }
        return .topic(topic)
    }

    // MARK: Content

    private static func content(
        _ fields: LegacyFields
    ) throws(LegacyFormatError) -> Result<LegacyContent, LegacyErrorCode> {
        var content = LegacyContent()
        content.data = try data(fields)
        content.collapseKey = try fields.text("collapse_key")
        content.priority = try priority(fields)
        content.isContentAvailable = try fields.bool("content_available") ?? false
        content.isContentMutable = try fields.bool("mutable_content") ?? false
        content.restrictedPackageName = try fields.text("restricted_package_name")
        _ = try fields.bool("delay_while_idle")
        let seconds = try fields.number("time_to_live")
        let notification = try fields.members("notification")
        do throws(LegacyErrorCode) {
            if let seconds { content.timeToLive = try timeToLive(seconds) }
            if let notification { content.notification = try LegacyNotification(notification) }
            return .success(content)
        } catch {
            return .failure(error)
        }
    }

    /// Values of any kind become text; `null` stands for no entry.
    private static func data(_ fields: LegacyFields) throws(LegacyFormatError) -> [Message.DataEntry] {
        var entries: [Message.DataEntry] = []
        for member in try fields.members("data") ?? JSONObject() where member.value != .null {
            guard !DataKeyRules.isReserved(member.name), member.name != "aps" else {
                throw LegacyFormatError(text: "\"data\" key \"\(member.name)\" is reserved")
            }
            entries.append(.init(key: member.name, value: member.value.plainText))
        }
        return entries
    }

    private static func priority(_ fields: LegacyFields) throws(LegacyFormatError) -> MessagePriority? {
        guard let text = try fields.text("priority"), !text.isEmpty else { return nil }
        guard let priority = MessagePriority(rawValue: text.lowercased()) else {
            throw LegacyFormatError(text: "Field \"priority\" must be \"normal\" or \"high\"")
        }
        return priority
    }

    private static func timeToLive(_ number: JSONNumber) throws(LegacyErrorCode) -> TimeToLive {
        guard let life = number.int64.flatMap({ TimeToLive(seconds: $0) }) else { throw .invalidTimeToLive }
        return life
    }
}
