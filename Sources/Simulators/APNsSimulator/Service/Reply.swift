import HTTPSemantics
import Timekeeping

/// An answer before it is put on the wire.
struct Reply: Equatable {
    var status: Int
    /// `apns-id`; `nil` leaves the header out.
    var id: String?
    var reason: String?
    var timestampMilliseconds: Int64?
    /// A JSON body that is no error.
    var content: [UInt8] = []
    /// Replaces the JSON body.
    var text: String?
    var retryAfterSeconds: Int?
    /// `apns-unique-id`: the sandbox's key into its delivery log.
    var uniqueID: String?
    /// Further headers, for channel management.
    var extraFields = HTTPFields()

    init(status: Int, id: String? = nil, reason: String? = nil) {
        self.status = status
        self.id = id
        self.reason = reason
    }

    var body: [UInt8] {
        if let text { return Array(text.utf8) }
        return reason.map { ErrorBody.text(reason: $0, timestampMilliseconds: timestampMilliseconds) } ?? content
    }

    /// Errors have a content type, accepted pushes have neither that nor a body.
    var fields: HTTPFields {
        var fields = HTTPFields()
        if let id { fields.append("apns-id", id) }
        if let uniqueID { fields.append("apns-unique-id", uniqueID) }
        if let retryAfterSeconds { fields.append("retry-after", String(retryAfterSeconds)) }
        for line in extraFields.lines { fields.append(line.name, line.value) }
        if !body.isEmpty { fields.append("content-type", text == nil ? "application/json" : "text/plain") }
        return fields
    }
}
