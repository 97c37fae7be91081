/// A client of MQTT 3.1.1 that gets messages of one topic with QoS 1.
struct MQTTDialect: ClientDialect {
    private enum Kind {
        static let connect: UInt8 = 0x10
        static let connectAcknowledgement: UInt8 = 0x20
        static let publish: UInt8 = 0x30
        static let acknowledgement: UInt8 = 0x40
        static let subscribe: UInt8 = 0x82
        static let subscribeAcknowledgement: UInt8 = 0x90
    }

    private let name: String
    private let topic: String
    private let publishes: Bool
    private let keepsSession: Bool
    private var unread = UnreadBytes()
    private var lastPacket: UInt16 = 1

    /// - Parameters:
    ///   - publishes: Whether the client writes to the topic instead of reading it.
    ///   - keepsSession: Whether the server keeps messages while the client is away.
    init(name: String, topic: String, publishes: Bool, keepsSession: Bool) {
        self.name = name
        self.topic = topic
        self.publishes = publishes
        self.keepsSession = keepsSession
    }

    func begin(into output: inout [UInt8]) {
        let protocolName = Self.text("MQTT") + [4, keepsSession ? 0 : 2, 0, 0]
        Self.append(Kind.connect, protocolName + Self.text(name), to: &output)
    }

    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(BenchFailure) -> ClientProgress {
        var progress = ClientProgress()
        unread.append(bytes)
        while let (kind, body) = nextPacket() { try read(kind, body, &progress, into: &output) }
        unread.dropRead()
        return progress
    }

    private mutating func read(
        _ kind: UInt8, _ body: ArraySlice<UInt8>, _ progress: inout ClientProgress, into output: inout [UInt8]
    ) throws(BenchFailure) {
        switch kind & 0xF0 {
        case Kind.connectAcknowledgement:
            guard body.last == 0 else { throw .failed("The MQTT server refuses a client.") }
            progress.isReady = publishes
            guard !publishes else { return }
            Self.append(Kind.subscribe, [0, 1] + Self.text(topic) + [1], to: &output)
        case Kind.subscribeAcknowledgement: progress.isReady = true
        case Kind.publish:
            progress.messages += 1
            // QoS 1: the number of the packet follows the topic's name.
            let place = body.startIndex + 2 + Int(body[body.startIndex]) << 8 + Int(body[body.startIndex + 1])
            guard kind & 0x06 != 0, place + 1 < body.endIndex else { return }
            Self.append(Kind.acknowledgement, Array(body[place...place + 1]), to: &output)
        default: break
        }
    }

    mutating func publish(_ body: [UInt8], into output: inout [UInt8]) {
        lastPacket = lastPacket == .max ? 1 : lastPacket + 1
        let number = [UInt8(lastPacket >> 8), UInt8(truncatingIfNeeded: lastPacket)]
        Self.append(Kind.publish | 2, Self.text(topic) + number + body, to: &output)
    }

    private mutating func nextPacket() -> (kind: UInt8, body: ArraySlice<UInt8>)? {
        var length = 0
        var place = 1
        while true {
            guard place < unread.count else { return nil }
            let byte = unread[place]
            length |= Int(byte & 0x7F) << (7 * (place - 1))
            place += 1
            if byte < 0x80 || place > 4 { break }
        }
        guard unread.count >= place + length else { return nil }
        let kind = unread[0]
        let start = unread.position + place
        unread.position = start + length
        return (kind, unread.bytes[start..<start + length])
    }

    private static func text(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count >> 8), UInt8(truncatingIfNeeded: text.utf8.count)] + Array(text.utf8)
    }

    private static func append(_ kind: UInt8, _ body: [UInt8], to output: inout [UInt8]) {
        output.append(kind)
        var rest = body.count
        repeat {
            output.append(UInt8(rest & 0x7F) | (rest >= 0x80 ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        output += body
    }
}
