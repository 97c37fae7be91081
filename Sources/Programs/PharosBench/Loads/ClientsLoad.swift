import EventLoop
import Glibc
import JSON
import Transport

extension BenchLoad {
    /// Many clients of the device channel, of an MQTT server or of a NATS server, told by lines of the standard input
    /// what to do. Each line is answered by one of JSON, with times of the machine's monotonic clock.
    static let clients = BenchLoad(
        name: "clients",
        summary: "keeps clients connected. --protocol mcs|mqtt|nats --to HOST:PORT --ca FILE --clients N "
            + "--devices FILE (android ids) --topic NAME (absent: one for each client) --keep-session 1 --publisher 1 --body-bytes N "
            + "--messages-per-ack N --messages N (expected from the login on). Commands: expect N, publish N, wait"
    ) { arguments in
        let loops = try EventLoopGroup(count: 1)
        let trust = TLSClientContext.Trust.authorities(pem: try TextFile.read(try arguments.text("ca")))
        let crowd = ClientCrowd(
            loop: loops.next(), address: try arguments.address("to"), tls: try TLSClientContext(trust: trust))
        let dialects = try ClientDialects(arguments)
        try await crowd.expect(try arguments.count("messages", default: 0))
        let watch = Stopwatch()
        try await crowd.connect(try dialects.all())
        var result = watch.report(dialects.count)
        if let publisher = dialects.publisher() { try await crowd.connect([publisher]) }
        result["at"] = .number(JSONNumber(MonotonicTime.now().nanoseconds))
        BenchOutput.write(result)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: try arguments.count("body-bytes", default: 200))
        while let line = readLine() { BenchOutput.write(try await obey(line, crowd, dialects.count, body)) }
        crowd.end()
        loops.shutDown()
        return [:]
    }

    private static func obey(
        _ line: String, _ crowd: ClientCrowd, _ clients: Int, _ body: [UInt8]
    ) async throws -> JSONObject {
        let words = line.split(separator: " ")
        let count = words.count > 1 ? Int(words[1]) ?? 1 : 1
        switch words.first {
        case "expect": try await crowd.expect(count * clients)
        case "publish": for _ in 0..<count { crowd.publish(body) }
        case "wait":
            let last = try await crowd.finish()
            return [
                "at": .number(JSONNumber(last.nanoseconds)), "messages": .integer(Int64(crowd.messages)),
                "bytes": .integer(Int64(crowd.receivedBytes)),
            ]
        default: throw BenchFailure.usage("“\(line)” is no command.")
        }
        return ["at": .number(JSONNumber(MonotonicTime.now().nanoseconds))]
    }
}

/// Makes the clients that the options ask for.
private struct ClientDialects {
    let count: Int
    private let protocolName: String
    private let topic: String
    private let keepsSession: Bool
    private let hasPublisher: Bool
    private let messagesPerAcknowledgement: Int
    private let devices: String?

    init(_ arguments: BenchArguments) throws {
        protocolName = try arguments.text("protocol")
        count = try arguments.count("clients", default: 1)
        topic = arguments.text("topic", default: "")
        keepsSession = try arguments.count("keep-session", default: 0) > 0
        hasPublisher = try arguments.count("publisher", default: 0) > 0
        messagesPerAcknowledgement = try arguments.count("messages-per-ack", default: 1)
        devices = protocolName == "mcs" ? try arguments.text("devices") : nil
    }

    func all() throws -> [any ClientDialect] {
        if let devices {
            let ids = String(decoding: try TextFile.read(devices), as: UTF8.self).split(separator: "\n")
            guard ids.count >= count else { throw BenchFailure.usage("--devices has too few ids.") }
            return ids.prefix(count).map {
                DeviceDialect(
                    androidID: UInt64($0) ?? 0, messagesPerAcknowledgement: messagesPerAcknowledgement)
            }
        }
        return try (0..<count).map { try dialect(number: $0, publishes: false) }
    }

    func publisher() -> (any ClientDialect)? {
        hasPublisher ? try? dialect(number: count, publishes: true) : nil
    }

    private func dialect(number: Int, publishes: Bool) throws -> any ClientDialect {
        let topic = topic.isEmpty ? "client/\(number)" : topic
        switch protocolName {
        case "mqtt":
            return MQTTDialect(
                name: publishes ? "publisher" : "client-\(number)", topic: topic, publishes: publishes,
                keepsSession: keepsSession && !publishes)
        case "nats": return NATSDialect(subject: topic, publishes: publishes)
        default: throw BenchFailure.usage("--protocol must be mcs, mqtt or nats.")
        }
    }
}
