import FirebaseCore
import FirebasePlatform
import ProtobufWire

/// One upload: `BatchedLogRequest` as Google's data transport writes it, compressed.
struct EventBatch: Sendable {
    /// Of the messaging events. Source: the official SDKs.
    static let logSource: Int64 = 1249
    private static let firebaseOnApple: Int64 = 15
    private static let productOfEvent: Int64 = 5

    var events: [WaitingEvent]
    /// Unit: milliseconds since 1970.
    var sentAtMilliseconds: Int64

    func request(to destination: EventLogDestination, platform: Platform) -> WebRequest {
        var headers: [WebRequest.Header] = [
            .init("Content-Type", "application/x-protobuf"), .init("Content-Encoding", "gzip"),
        ]
        if let key = destination.apiKey { headers.append(.init("X-Goog-Api-Key", key)) }
        return WebRequest(
            method: "POST", url: destination.url, headers: headers, body: Gzip.storing(encoded(platform)),
            session: .ephemeral)
    }

    func encoded(_ platform: Platform) -> [UInt8] {
        var log = ProtobufWriter()
        log.write(message: clientInfo(platform), field: 1)
        log.write(Self.logSource, field: 2)
        for event in events { log.write(message: Self.logEvent(event), field: 3) }
        log.write(sentAtMilliseconds, field: 4)
        var batch = ProtobufWriter()
        batch.write(message: log, field: 1)
        return batch.bytes
    }

    private func clientInfo(_ platform: Platform) -> ProtobufWriter {
        var device = ProtobufWriter()
        let version = platform.device.osVersion
        device.write(String(version.prefix { $0 != "." }), field: 3)
        device.write(version, field: 4)
        device.write(platform.device.model, field: 7)
        device.write(platform.appInfo.bundleID, field: 11)
        var client = ProtobufWriter()
        client.write(Self.firebaseOnApple, field: 1)
        client.write(message: device, field: 4)
        return client
    }

    private static func logEvent(_ event: WaitingEvent) -> ProtobufWriter {
        var writer = ProtobufWriter()
        writer.write(event.timeMilliseconds, field: 1)
        writer.write(bytes: event.bytes, field: 6)
        writer.writeZigZag(event.timeZoneOffsetSeconds, field: 15)
        if let product = event.productID { writer.write(message: compliance(product), field: 33) }
        return writer
    }

    private static func compliance(_ product: Int32) -> ProtobufWriter {
        var request = ProtobufWriter()
        request.write(Int64(product), field: 13)
        var context = ProtobufWriter()
        context.write(message: request, field: 2)
        var compliance = ProtobufWriter()
        compliance.write(message: context, field: 1)
        compliance.write(productOfEvent, field: 2)
        return compliance
    }
}

/// What the server says to an upload: `LogResponse`.
enum EventBatchReply: Sendable, Hashable {
    /// The server has the events; further ones may follow after a while. Unit: milliseconds.
    case taken(silenceMilliseconds: Int64)
    /// It may take them later.
    case later
    /// It never takes them.
    case refused

    private static let longestSilenceMilliseconds: Int64 = 86_400_000

    init(_ response: WebResponse) {
        switch response.status {
        case 200..<300: self = .taken(silenceMilliseconds: Self.silence(response.body))
        case 404, 429, 500...: self = .later
        default: self = .refused
        }
    }

    private static func silence(_ body: [UInt8]) -> Int64 {
        var reader = ProtobufReader(body)
        while let tag = try? reader.nextTag() {
            if tag == ProtobufTag(field: 1, wireType: .varint) {
                return min(max((try? reader.readInt64()) ?? 0, 0), longestSilenceMilliseconds)
            }
        }
        return 0
    }
}
