import JSON

/// The body of `POST /fcm/notification`. Source: FCM, "Manage device groups on the app server".
struct GroupRequest: Sendable, Equatable {
    enum Operation: String, Sendable {
        case create, add, remove
    }

    var operation: Operation
    /// `notification_key_name`; empty when absent.
    var name: String
    /// `notification_key`; empty when absent.
    var key: String
    var tokens: [String]

    /// - Throws: `LegacyFormatError` for everything that is no operation on a group.
    init(_ body: [UInt8]) throws(LegacyFormatError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body, options: JSONOptions(skipsByteOrderMark: true))
        } catch {
            throw LegacyFormatError(text: "JSON_PARSING_ERROR: \(error) at position \(error.offset).")
        }
        guard let object = value.object else { throw LegacyFormatError(text: "The body must be a JSON object") }
        let fields = LegacyFields(object: object)
        let name = try fields.text("operation") ?? ""
        guard let operation = Operation(rawValue: name) else {
            throw LegacyFormatError(text: "operation must be create, add or remove")
        }
        self.operation = operation
        self.name = try fields.text("notification_key_name") ?? ""
        key = try fields.text("notification_key") ?? ""
        tokens = try fields.texts("registration_ids") ?? []
    }
}
