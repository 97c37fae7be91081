/// A client of NATS that gets messages of one subject. Nothing is acknowledged.
struct NATSDialect: ClientDialect {
    private let subject: String
    private let publishes: Bool
    private var unread = UnreadBytes()

    init(subject: String, publishes: Bool) {
        self.subject = subject
        self.publishes = publishes
    }

    func begin(into output: inout [UInt8]) {
        output += Array(#"CONNECT {"verbose":false,"pedantic":false,"lang":"swift","version":"1"}"#.utf8)
        output += Array("\r\n\(publishes ? "" : "SUB \(subject) 1\r\n")PING\r\n".utf8)
    }

    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(BenchFailure) -> ClientProgress {
        var progress = ClientProgress()
        unread.append(bytes)
        while let line = nextLine() {
            switch line.first {
            case UInt8(ascii: "M"): progress.messages += 1
            case UInt8(ascii: "P") where line.starts(with: "PING".utf8): output += Array("PONG\r\n".utf8)
            case UInt8(ascii: "P"): progress.isReady = true
            case UInt8(ascii: "-"): throw .failed("NATS: \(String(decoding: line, as: UTF8.self))")
            default: break
            }
        }
        unread.dropRead()
        return progress
    }

    func publish(_ body: [UInt8], into output: inout [UInt8]) {
        output += Array("PUB \(subject) \(body.count)\r\n".utf8)
        output += body
        output += Array("\r\n".utf8)
    }

    /// The next line, past the body that follows it when it announces a message.
    private mutating func nextLine() -> ArraySlice<UInt8>? {
        let rest = unread.bytes[unread.position...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = rest[..<end]
        var next = end + 1
        if line.starts(with: "MSG".utf8) {
            let size = line.dropLast().reversed().prefix { $0 != UInt8(ascii: " ") }.reversed()
            next += (Int(String(decoding: Array(size), as: UTF8.self)) ?? 0) + 2
            guard next <= unread.bytes.count else { return nil }
        }
        unread.position = next
        return line
    }
}
