import Bytes
import JSON
import ProtobufWire
import Timekeeping

/// The messaging events of one upload, each still in the form of its own product.
struct LoggedEvents: Equatable {
    struct Event: Equatable {
        var time: Timestamp
        /// `MessagingClientEventExtension`.
        var bytes: [UInt8]
    }

    /// Of the messaging events. Source: the Firebase SDKs for Apple and JavaScript.
    static let logSource: Int64 = 1249
    /// Under which name Android's transport sends them.
    static let logSourceName = "FCM_CLIENT_EVENT_LOGGING"
    /// A batch with more is refused.
    static let maximumCount = 1000

    var events: [Event] = []
    /// Events of other products: they are taken and forgotten.
    private(set) var foreignCount = 0

    enum Refusal: Error, Equatable {
        case malformed
        case tooMany
    }

    /// Reads `BatchedLogRequest`, as Apple's data transport sends it.
    static func protobuf(_ body: [UInt8]) throws(Refusal) -> LoggedEvents {
        var batch = LoggedEvents()
        do {
            var reader = ProtobufReader(body)
            while let tag = try reader.nextTag() {
                guard tag == ProtobufTag(field: 1, wireType: .lengthDelimited) else { continue }
                try batch.add(request: try reader.readMessage())
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw .malformed
        }
        return batch
    }

    private mutating func add(request reader: ProtobufReader) throws {
        var reader = reader
        var source: Int64 = 0
        var found: [Event] = []
        while let tag = try reader.nextTag() {
            switch (tag.field, tag.wireType) {
            case (2, .varint): source = try reader.readInt64()
            case (3, .lengthDelimited):
                found.append(try Self.event(try reader.readMessage()))
                guard found.count <= Self.maximumCount else { throw Refusal.tooMany }
            default: try reader.skip()
            }
        }
        try add(found, isOurs: source == Self.logSource)
    }

    private static func event(_ reader: ProtobufReader) throws(ProtobufError) -> Event {
        var reader = reader
        var event = Event(time: Timestamp(milliseconds: 0), bytes: [])
        while let tag = try reader.nextTag() {
            switch (tag.field, tag.wireType) {
            case (1, .varint): event.time = Timestamp(milliseconds: try reader.readInt64())
            case (6, .lengthDelimited): event.bytes = Array(try reader.readBytes())
            default: try reader.skip()
            }
        }
        return event
    }

    private mutating func add(_ found: [Event], isOurs: Bool) throws(Refusal) {
        if isOurs { events += found } else { foreignCount += found.count }
        guard events.count + foreignCount <= Self.maximumCount else { throw .tooMany }
    }

    /// Reads the JSON form of Android's transport.
    static func json(_ body: [UInt8]) throws(Refusal) -> LoggedEvents {
        guard let requests = (try? JSONValue(parsing: body))?.object?["logRequest"]?.array else { throw .malformed }
        var batch = LoggedEvents()
        for request in requests {
            let found = (request["logEvent"]?.array ?? []).compactMap { event($0) }
            let isOurs =
                number(request["logSource"]) == logSource || request["logSourceName"]?.string == logSourceName
            try batch.add(found, isOurs: isOurs)
        }
        return batch
    }

    private static func event(_ value: JSONValue) -> Event? {
        guard let text = value["sourceExtension"]?.string, let bytes = Base64.decode(text) else { return nil }
        return Event(time: Timestamp(milliseconds: number(value["eventTimeMs"]) ?? 0), bytes: bytes)
    }

    /// 64-bit numbers are text in JSON forms of protobuf.
    private static func number(_ value: JSONValue?) -> Int64? {
        value?.int64 ?? value?.string.flatMap { Int64($0) }
    }
}
