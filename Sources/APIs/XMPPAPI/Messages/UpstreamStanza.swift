import Bytes
import JSON
import PushModel
import XMPPWire

extension GCMElement {
    /// A message of an app, or a receipt, for its app server. Source: FCM XMPP protocol, upstream messages and delivery
    /// receipts.
    static func message(_ message: UpstreamMessage) -> XMLElement {
        let content = message.content
        var object: JSONObject = [
            "category": .string(content.category),
            "data": .object(JSONObject(content.data.map { ($0.key, .string($0.value)) })),
            "message_id": .string(content.messageID),
        ]
        if content.kind == .receipt { object["message_type"] = "receipt" }
        object["from"] = .string(content.from)
        object["time_to_live"] = .integer(content.timeToLiveSeconds)
        if let rawData = content.rawData { object["raw_data"] = .string(Base64.encode(rawData)) }
        return Self.message(object)
    }
}
