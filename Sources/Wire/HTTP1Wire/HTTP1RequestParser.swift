internal import HTTPSemantics

/// Reads the requests of one HTTP/1 connection, strictly. Source: RFC 9110, RFC 9112.
///
/// Events are pulled: a server asks for the next request only when it has answered the last one, and stops reading from
/// the peer while `unreadBytes` is large. The total of a body is not limited here: `HTTP1RequestStart.body` tells it, or
/// the pieces are counted.
public struct HTTP1RequestParser: Sendable {
    /// Where the request comes from.
    public enum Source: Sendable {
        case connection
        /// A part of a multipart body: lines may end without CR, and `Host` may be missing.
        case bodyPart
    }

    private enum State {
        case startLine(emptyLines: Int)
        case fields(RequestLine, FieldSection)
        case body(BodyReader)
        case failed
    }

    private let limits: HTTP1Limits
    private let source: Source
    private var queue = ByteQueue()
    private var state = State.startLine(emptyLines: 0)

    public init(limits: HTTP1Limits = HTTP1Limits(), source: Source = .connection) {
        self.limits = limits
        self.source = source
    }

    /// Bytes that are received and not yet part of an event.
    public var unreadBytes: Int { queue.count }

    /// `true` between two requests: a connection may be closed here without an answer owed.
    public var isBetweenRequests: Bool {
        if case .startLine = state { queue.count == 0 } else { false }
    }

    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if case .failed = state { return }
        queue.append(bytes)
    }

    /// Takes the unread bytes out: what follows the head of a CONNECT belongs to the tunnel.
    public mutating func takeUnread() -> [UInt8] {
        queue.take(atMost: .max)
    }

    /// - Returns: The next event, or `nil` until more bytes arrive.
    public mutating func nextEvent() -> HTTP1RequestEvent? {
        do throws(HTTP1Error) {
            return try advance()
        } catch {
            state = .failed
            queue.removeAll()
            return .failed(error)
        }
    }

    private mutating func advance() throws(HTTP1Error) -> HTTP1RequestEvent? {
        switch state {
        case .failed: return nil
        case .startLine(let emptyLines):
            return try readStartLine(emptyLines: emptyLines)
        case .fields(let line, let section):
            state = .failed
            return try readFields(line, section)
        case .body(var reader):
            guard let piece = try reader.next(from: &queue) else {
                state = .body(reader)
                return nil
            }
            state = piece == .end ? .startLine(emptyLines: 0) : .body(reader)
            if case .bytes(let bytes) = piece { return .body(bytes) }
            return .end
        }
    }

    private mutating func readStartLine(emptyLines: Int) throws(HTTP1Error) -> HTTP1RequestEvent? {
        var emptyLines = emptyLines
        while case .whole(let range) = try nextLine(limit: limits.startLineBytes, error: .targetTooLong) {
            if range.isEmpty {
                emptyLines += 1
                guard emptyLines <= limits.leadingEmptyLines else { throw .badRequestLine }
                state = .startLine(emptyLines: emptyLines)
                queue.consumeLine()
            } else {
                let line = try queue.withLine(range) { (line) throws(HTTP1Error) in try RequestLine(line) }
                queue.consumeLine()
                return try readFields(line, FieldSection())
            }
        }
        return nil
    }

    private mutating func readFields(
        _ line: RequestLine, _ section: FieldSection
    ) throws(HTTP1Error) -> HTTP1RequestEvent? {
        var section = section
        let limits = limits
        while case .whole(let range) = try nextLine(
            limit: limits.headerSectionBytes - section.bytes, error: .headerSectionTooLarge)
        {
            guard !range.isEmpty else {
                queue.consumeLine()
                return try finishHead(line, section)
            }
            try queue.withLine(range) { (line) throws(HTTP1Error) in try section.read(line, limits: limits) }
            queue.consumeLine()
        }
        state = .fields(line, section)
        return nil
    }

    private mutating func finishHead(
        _ line: RequestLine, _ section: FieldSection
    ) throws(HTTP1Error) -> HTTP1RequestEvent {
        let start = try RequestFraming(line, section, hostIsOptional: source == .bodyPart).start
        state = .body(BodyReader(start.body, limits: limits))
        return .head(start)
    }

    private mutating func nextLine(limit: Int, error: HTTP1Error) throws(HTTP1Error) -> ByteQueue.Line {
        let line = try queue.nextLine(allowsBareLineFeed: source == .bodyPart)
        switch line {
        case .whole(let range): guard range.count <= limit else { throw error }
        case .incomplete(let pending): guard pending <= limit + 1 else { throw error }
        }
        return line
    }
}
