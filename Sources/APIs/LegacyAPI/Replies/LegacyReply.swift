import GoogleAPI
import HTTPSemantics
import JSON
import PushModel

/// Writes the answers of `/fcm/send`. Source: legacy HTTP, "Downstream message response".
struct LegacyReply {
    /// Unique for each request.
    let multicastID: Int64

    // MARK: JSON

    /// One token or many: counts, then a result for each in the order of the request.
    func multicast(_ results: [LegacyResult]) -> HTTPResponse {
        let accepted = results.count(where: \.isAccepted)
        var writer = JSONWriter(reservingBytes: 128 + results.count * 64)
        writer.beginObject()
        writer.member("multicast_id", multicastID)
        writer.member("success", accepted)
        writer.member("failure", results.count - accepted)
        writer.member("canonical_ids", results.count { $0.isAccepted && $0.currentToken != nil })
        writer.key("results")
        writer.beginArray()
        for result in results { write(result, to: &writer) }
        writer.endArray()
        writer.endObject()
        return response(writer.bytes, retryAfterSeconds: results.compactMap(\.retryAfterSeconds).max())
    }

    private func write(_ result: LegacyResult, to writer: inout JSONWriter) {
        writer.beginObject()
        switch result.outcome {
        case .accepted(let id):
            writer.member("message_id", messageID(id, for: result.token))
            if let currentToken = result.currentToken { writer.member("registration_id", currentToken) }
        case .failed(let code): writer.member("error", code.rawValue)
        }
        writer.endObject()
    }

    /// A topic or condition: the id is a number here, and not a text.
    func topic(_ id: MessageID?) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("message_id", id?.value ?? multicastID)
        writer.endObject()
        return response(writer.bytes, retryAfterSeconds: nil)
    }

    func topicFailure(_ error: SendError) -> HTTPResponse {
        topicFailure(LegacyErrorCode(error), retryAfterSeconds: error.retryAfterSeconds)
    }

    func topicFailure(_ code: LegacyErrorCode, retryAfterSeconds: Int? = nil) -> HTTPResponse {
        let body: JSONValue = ["error": .string(code.rawValue)]
        return response(body.encoded, retryAfterSeconds: retryAfterSeconds)
    }

    /// A device group: counts, and who failed when not all did well.
    func group(_ results: [LegacyResult]) -> HTTPResponse {
        let failed = results.filter { !$0.isAccepted }
        var body: JSONObject = [
            "success": .integer(results.count - failed.count), "failure": .integer(failed.count),
        ]
        if !failed.isEmpty { body["failed_registration_ids"] = .array(failed.map { .string($0.token) }) }
        return response(body.encoded, retryAfterSeconds: failed.compactMap(\.retryAfterSeconds).max())
    }

    private func response(_ body: [UInt8], retryAfterSeconds: Int?) -> HTTPResponse {
        var response = HTTPResponse(json: body)
        if let retryAfterSeconds { response.fields["retry-after"] = String(retryAfterSeconds) }
        return response
    }

    // MARK: Plain text

    /// What can be tried again is a status here, because this form has no code for it.
    func plain(_ result: LegacyResult) -> HTTPResponse {
        switch result.outcome {
        case .accepted(let id):
            let current = result.currentToken.map { "\nregistration_id=\($0)" } ?? ""
            return Self.text("id=\(messageID(id, for: result.token))\(current)\n")
        case .failed(.unavailable): return Self.text("Unavailable\n", status: 503, result.retryAfterSeconds)
        case .failed(.internalServerError):
            return Self.text("InternalServerError\n", status: 500, result.retryAfterSeconds)
        case .failed(let code): return Self.text("Error=\(code.rawValue)\n", status: 200, result.retryAfterSeconds)
        }
    }

    /// A body that nothing can be made of.
    static func malformed(_ error: LegacyFormatError) -> HTTPResponse {
        text(error.text + "\n", status: 400)
    }

    private static func text(_ text: String, status: Int = 200, _ retryAfterSeconds: Int? = nil) -> HTTPResponse {
        var response = HTTPResponse(status: status, contentType: "text/plain; charset=UTF-8", text: text)
        if let retryAfterSeconds { response.fields["retry-after"] = String(retryAfterSeconds) }
        return response
    }

    // MARK: Ids

    /// `0:<microseconds>%<16 hex digits>`: the message's id, and the recipient's part, as the service always wrote them.
    private func messageID(_ id: MessageID?, for token: String) -> String {
        guard let id else { return "fake_message_id" }
        let digits = String(Self.checksum(token), radix: 16)
        return "0:\(id)%" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// FNV-1a: tells the recipients of one message apart.
    private static func checksum(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
