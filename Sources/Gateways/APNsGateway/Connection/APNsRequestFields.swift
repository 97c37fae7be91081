import HTTP2Wire
import PushModel

/// The header fields of a push, with the HPACK treatment that Apple advises for its small dynamic table: what changes
/// from push to push stays out of it.
enum APNsRequestFields {
    static func make(_ push: ApplePush, authority: String, authorization: String?) -> [HTTP2Field] {
        var fields: [HTTP2Field] = []
        fields.reserveCapacity(6 + push.headers.count)
        fields.append(HTTP2Field(":method", "POST"))
        fields.append(HTTP2Field(":scheme", "https"))
        fields.append(HTTP2Field(":authority", authority))
        fields.append(HTTP2Field(":path", "/3/device/" + push.pathToken, indexing: .never))
        if let authorization { fields.append(HTTP2Field("authorization", authorization, indexing: .never)) }
        for header in push.headers {
            fields.append(HTTP2Field(header.key, header.value, indexing: indexing(of: header)))
        }
        return fields
    }

    private static func indexing(of header: Message.DataEntry) -> HTTP2Field.Indexing {
        switch header.key {
        case "apns-topic", "apns-push-type", "apns-priority": .automatic
        case "apns-expiration": header.value == "0" ? .automatic : .never
        default: .never
        }
    }
}
