import HTTP2Wire
import NetTesting

/// An HTTP/2 client on a blocking socket, for tests.
final class HTTP2Peer {
    struct Answer: Equatable {
        var status = 0
        var body: [UInt8] = []
        var closed: HTTP2ErrorCode?
    }

    let client: RawClient
    let session: HTTP2ClientSession
    private(set) var answers: [Int32: Answer] = [:]
    private(set) var goAways: [(lastStream: Int32, code: HTTP2ErrorCode)] = []
    private(set) var pingsAcknowledged = 0
    private(set) var hasEnded = false
    /// All that came, also what a session does not look at after a GOAWAY.
    private(set) var wire = WireFrames()

    init(_ client: RawClient, configuration: HTTP2ClientConfiguration = HTTP2ClientConfiguration()) {
        self.client = client
        session = HTTP2ClientSession(configuration)
    }

    /// Runs a script with a connected peer on a thread of its own.
    static func run<Result: Sendable>(
        _ port: UInt16, configuration: HTTP2ClientConfiguration = HTTP2ClientConfiguration(),
        _ script: @escaping @Sendable (HTTP2Peer) throws -> Result
    ) async throws -> Result {
        try await RawClient.run(port: port) { try script(HTTP2Peer($0, configuration: configuration)) }
    }

    @discardableResult
    func submit(
        _ method: String, _ path: String, body: [UInt8] = [], fields: [HTTP2Field] = []
    ) throws -> Int32 {
        let pseudo = [
            HTTP2Field(":method", method), HTTP2Field(":scheme", "http"), HTTP2Field(":authority", "a"),
            HTTP2Field(":path", path),
        ]
        let stream = try session.submit(fields: pseudo + fields, body: body)
        answers[stream] = Answer()
        return stream
    }

    func flush() throws {
        var output: [UInt8] = []
        session.drainOutput(into: &output, maximum: .max)
        if !output.isEmpty { try client.send(output) }
        note(session.takeEvents())
    }

    /// Sends and receives until the condition holds or the server has closed.
    func pump(until isMet: (HTTP2Peer) -> Bool) throws {
        try flush()
        while !isMet(self), !hasEnded {
            let bytes = try client.receive()
            wire.append(bytes)
            if bytes.isEmpty { hasEnded = true } else { note(bytes.withUnsafeBytes { session.receive($0) }) }
            // The server may have closed already.
            do { try flush() } catch RawClient.Failure.reset { hasEnded = true }
        }
    }

    func pumpToEnd() throws {
        try pump { $0.hasEnded }
    }

    func answer(to stream: Int32) throws -> Answer {
        try pump { $0.answers[stream]?.closed != nil }
        return answers[stream] ?? Answer()
    }

    /// Sends a frame past the session.
    func sendFrame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) throws {
        let length = payload.count
        let header = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        let id = (0..<4).map { UInt8(stream >> (24 - 8 * UInt32($0)) & 255) }
        try client.send(header + id + payload)
    }

    private func note(_ events: [HTTP2ClientEvent]) {
        for event in events {
            switch event {
            case .response(let stream, let status, _, _): answers[stream, default: Answer()].status = status
            case .data(let stream, let bytes, _): answers[stream, default: Answer()].body += bytes
            case .closed(let stream, let code): answers[stream, default: Answer()].closed = code
            case .goAway(let lastStream, let code, _): goAways.append((lastStream, code))
            case .pingAcknowledged: pingsAcknowledged += 1
            case .settings, .settingsAcknowledged, .ping: break
            case .failed: hasEnded = true
            }
        }
    }
}

/// The frames that a server sent, cut out of the bytes without a session.
struct WireFrames: Sendable {
    private var bytes: [UInt8] = []
    private(set) var all: [(type: UInt8, stream: UInt32, payload: [UInt8])] = []

    /// - Returns: `false` at the end of the stream.
    mutating func read(from client: RawClient) throws -> Bool {
        let more = try client.receive()
        append(more)
        return !more.isEmpty
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
        while bytes.count >= 9 {
            let length = bytes[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count >= 9 + length else { break }
            all.append((bytes[3], Self.number(bytes[5..<9]), Array(bytes[9..<9 + length])))
            bytes.removeFirst(9 + length)
        }
    }

    /// The last GOAWAY.
    var goAway: (lastStream: UInt32, code: UInt32)? {
        all.last { $0.type == 7 && $0.payload.count >= 8 }.map {
            (Self.number($0.payload[..<4]), Self.number($0.payload[4..<8]))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
