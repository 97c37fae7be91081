/// Cuts a body out of the received bytes. Source: RFC 9112 §6, §7.
struct BodyReader: Sendable {
    enum Piece: Equatable {
        case bytes([UInt8])
        case end
    }

    private enum State {
        case length(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers(FieldSection)
        case ended
    }

    private var state: State
    private var extensionBytes = 0
    private let limits: HTTP1Limits

    init(_ framing: HTTP1BodyFraming, limits: HTTP1Limits) {
        self.limits = limits
        state =
            switch framing {
            case .none: .ended
            case .length(let length): length == 0 ? .ended : .length(length)
            case .chunked: .chunkSize
            case .untilClose: .untilClose
            }
    }

    /// - Returns: `nil` until more bytes arrive.
    mutating func next(from queue: inout ByteQueue) throws(HTTP1Error) -> Piece? {
        while true {
            switch state {
            case .ended: return .end
            case .untilClose: return queue.count > 0 ? .bytes(queue.take(atMost: .max)) : nil
            case .length(let left):
                return take(left, from: &queue) { $0 == 0 ? .ended : .length($0) }
            case .chunk(let left):
                return take(left, from: &queue) { $0 == 0 ? .chunkEnd : .chunk($0) }
            case .chunkSize: guard try readChunkSize(from: &queue) else { return nil }
            case .chunkEnd: guard try readChunkEnd(from: &queue) else { return nil }
            case .trailers(let section): guard try readTrailer(after: section, from: &queue) else { return nil }
            }
        }
    }

    /// The connection is closed: only a body without announced length ends there.
    mutating func finish() throws(HTTP1Error) {
        switch state {
        case .ended, .untilClose: state = .ended
        default: throw .truncated
        }
    }

    private mutating func take(_ left: Int, from queue: inout ByteQueue, then next: (Int) -> State) -> Piece? {
        guard queue.count > 0 else { return nil }
        let bytes = queue.take(atMost: left)
        state = next(left - bytes.count)
        return .bytes(bytes)
    }

    private mutating func readChunkSize(from queue: inout ByteQueue) throws(HTTP1Error) -> Bool {
        switch try queue.nextLine(allowsBareLineFeed: false) {
        case .incomplete(let pending):
            guard pending <= limits.chunkSizeDigits + 1 + limits.chunkExtensionBytes else { throw .badChunk }
            return false
        case .whole(let range):
            let size = try queue.withLine(range) { (line) throws(HTTP1Error) -> Int in
                let digits = line.prefix { $0.isHexDigit }.count
                guard (1...limits.chunkSizeDigits).contains(digits) else { throw .badChunk }
                let tail = line.slice(digits..<line.count)
                extensionBytes += tail.count
                guard extensionBytes <= limits.chunkExtensionBytes, Self.isExtension(tail) else { throw .badChunk }
                return line.prefix(digits).reduce(0) { $0 << 4 | Int($1.hexValue) }
            }
            queue.consumeLine()
            state = size == 0 ? .trailers(FieldSection()) : .chunk(size)
            return true
        }
    }

    /// Nothing, or white space and a semicolon, then field characters (RFC 9112 §7.1.1).
    private static func isExtension(_ tail: UnsafeBufferPointer<UInt8>) -> Bool {
        tail.isEmpty || tail.trimmed.first == UInt8(ascii: ";") && ASCII.isFieldValue(tail)
    }

    private mutating func readChunkEnd(from queue: inout ByteQueue) throws(HTTP1Error) -> Bool {
        guard queue.count > 0 else { return false }
        guard queue.byte(at: 0) == ASCII.carriageReturn else { throw .badChunk }
        guard queue.count > 1 else { return false }
        guard queue.byte(at: 1) == ASCII.lineFeed else { throw .badChunk }
        queue.consume(2)
        state = .chunkSize
        return true
    }

    /// Trailers are checked like fields, and dropped.
    private mutating func readTrailer(
        after section: FieldSection, from queue: inout ByteQueue
    ) throws(HTTP1Error) -> Bool {
        var section = section
        switch try queue.nextLine(allowsBareLineFeed: false) {
        case .incomplete(let pending):
            guard section.bytes + pending <= limits.headerSectionBytes else { throw .headerSectionTooLarge }
            return false
        case .whole(let range):
            if range.isEmpty {
                state = .ended
            } else {
                try queue.withLine(range) { (line) throws(HTTP1Error) in try section.read(line, limits: limits) }
                state = .trailers(section)
            }
            queue.consumeLine()
            return true
        }
    }
}

extension UInt8 {
    var isHexDigit: Bool { ASCII.isDigit(self) || (self | 0x20) &- 0x61 < 6 }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8 { ASCII.isDigit(self) ? self & 15 : (self & 15) &+ 9 }
}
