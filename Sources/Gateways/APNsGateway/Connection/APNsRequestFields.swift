import HTTP2Wire
import PushModel

/// The header fields of a push, with the HPACK treatment that Apple advises for its small dynamic table: what changes
/// from push to push stays out of it.
enum APNsRequestFields {
    /// What all requests to a service begin with.
    static func prefix(authority: String) -> HTTP2FieldPrefix {
        HTTP2FieldPrefix([
            HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "https"), HTTP2Field(":authority", authority),
        ])
    }

    /// Adds what differs: `:path` first, as pseudo-headers precede the others.
    static func write(_ push: ApplePush, authorization: String?, to writer: inout HTTP2FieldWriter) {
        writer.append(":path", "/3/device/" + push.pathToken, indexing: .never)
        if let authorization { writer.append("authorization", authorization, indexing: .never) }
        for header in push.headers { writer.append(header.key, header.value, indexing: indexing(of: header)) }
    }

    private static func indexing(of header: Message.DataEntry) -> HTTP2Field.Indexing {
        // The length tells the names apart, for less than a comparison of texts.
        switch header.key.utf8.count {
        case "apns-topic".utf8.count, "apns-priority".utf8.count, "apns-push-type".utf8.count: .automatic
        case "apns-expiration".utf8.count: header.value == "0" ? .automatic : .never
        default: .never
        }
    }
}
