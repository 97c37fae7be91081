import Bytes
import JSON

/// An event as it waits on disk for its upload.
struct WaitingEvent: Sendable, Hashable {
    /// Unit: milliseconds since 1970.
    var timeMilliseconds: Int64
    var timeZoneOffsetSeconds: Int64
    var productID: Int32?
    /// `MessagingClientEventExtension`.
    var bytes: [UInt8]
}

extension WaitingEvent {
    var json: JSONValue {
        var object: JSONObject = [
            "at": .integer(timeMilliseconds), "offset": .integer(timeZoneOffsetSeconds),
            "event": .string(Base64URL.encode(bytes)),
        ]
        if let productID { object["product"] = .integer(Int64(productID)) }
        return .object(object)
    }

    /// `nil` for anything that this SDK did not write.
    init?(_ json: JSONValue) {
        guard let time = json["at"]?.int64, let bytes = json["event"]?.string.flatMap({ Base64URL.decode($0) }),
            !bytes.isEmpty
        else { return nil }
        self.init(
            timeMilliseconds: time, timeZoneOffsetSeconds: json["offset"]?.int64 ?? 0,
            productID: json["product"]?.int64.flatMap(Int32.init(exactly:)), bytes: bytes)
    }
}
