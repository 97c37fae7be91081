import JSON
import PushModel

enum WebPushPayload {
    static func render(_ message: ValidatedMessage) throws(SendError) -> [UInt8] {
        var data = JSONObject()
        for entry in message.message.webpush?.data ?? message.message.data { data[entry.key] = .string(entry.value) }
        let payload: JSONValue = ["from": .string(message.project.number.description), "data": .object(data)]
        return payload.encoded
    }
}
