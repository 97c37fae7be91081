import HTTP2Wire

/// Frames built by hand, for what no library would send. Source: RFC 9113 §4.1, §6.
struct Frame: Sendable {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let ack: UInt8 = 0x1

    var bytes: [UInt8] {
        let size = payload.count
        return [UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255), type, flags]
            + bigEndian(stream) + payload
    }

    static func settings(_ entries: [(UInt8, UInt32)] = []) -> Frame {
        Frame(type: 4, payload: entries.flatMap { [0, $0.0] + bigEndian($0.1) })
    }

    static let settingsAck = Frame(type: 4, flags: ack)

    static func headers(_ stream: UInt32, _ fields: [(String, String)], flags: UInt8 = endStream | endHeaders) -> Frame
    {
        Frame(type: 1, flags: flags, stream: stream, payload: block(fields))
    }

    static func data(_ stream: UInt32, _ text: String, flags: UInt8 = 0) -> Frame {
        Frame(type: 0, flags: flags, stream: stream, payload: Array(text.utf8))
    }

    static func reset(_ stream: UInt32, code: UInt32) -> Frame {
        Frame(type: 3, stream: stream, payload: bigEndian(code))
    }

    static let ping = Frame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8])

    static func windowUpdate(_ stream: UInt32, _ bytes: UInt32) -> Frame {
        Frame(type: 8, stream: stream, payload: bigEndian(bytes))
    }

    /// Literals without indexing and without Huffman coding (RFC 7541 §6.2.2).
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0.0) + text($0.1) }
    }

    private static func text(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        precondition(count < 127 + 128)
        return (count < 127 ? [UInt8(count)] : [127, UInt8(count - 127)]) + text.utf8
    }
}

private func bigEndian(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}

/// The fields that every request has.
let requestFields = [(":method", "POST"), (":scheme", "https"), (":path", "/"), (":authority", "h")]

extension HTTP2ServerSession {
    /// Takes the preface, SETTINGS and `frames`, and forgets the output.
    func receive(_ frames: [Frame], prefaced: Bool = true) -> [HTTP2ServerEvent] {
        receive(pieces: [(prefaced ? HTTP2Preface.bytes + Frame.settings().bytes : []) + frames.flatMap(\.bytes)])
    }

    func receive(pieces: [[UInt8]]) -> [HTTP2ServerEvent] {
        var events: [HTTP2ServerEvent] = []
        for piece in pieces {
            events += piece.withUnsafeBytes { receive($0) }
            _ = drain()
        }
        return events + takeEvents()
    }

    func drain() -> [UInt8] {
        var output: [UInt8] = []
        while wantsWrite {
            let before = output.count
            drainOutput(into: &output, maximum: .max)
            if output.count == before { break }
        }
        return output
    }
}

/// Type, flags, stream and payload of each frame in `bytes`, which hold whole frames.
func frames(in bytes: [UInt8]) -> [Frame] {
    var frames: [Frame] = []
    var rest = bytes[...]
    while rest.count >= 9 {
        let header = Array(rest.prefix(9))
        let size = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
        let stream = header[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let payload = Array(rest.dropFirst(9).prefix(size))
        frames.append(Frame(type: header[3], flags: header[4], stream: stream, payload: payload))
        rest = rest.dropFirst(9 + size)
    }
    return frames
}
