internal import HTTPSemantics

/// Reads the answers on one HTTP/1 connection. Source: RFC 9110, RFC 9112.
///
/// `expectResponse` says which request comes next; 1xx answers are skipped. The total of a body is not limited here.
public struct HTTP1ResponseParser: Sendable {
    private enum State {
        case idle
        case statusLine
        case fields(StatusLine, FieldSection)
        case body(BodyReader)
        case failed
    }

    private let limits: HTTP1Limits
    private var queue = ByteQueue()
    private var state = State.idle
    private var method = ""

    /// - Parameter method: That of the first request.
    public init(to method: String, limits: HTTP1Limits = HTTP1Limits()) {
        self.limits = limits
        expectResponse(to: method)
    }

    /// Bytes that are received and not yet part of an event. Left after `end`, they mean that the server is out of step.
    public var unreadBytes: Int { queue.count }

    /// Turns to the answer of the next request; call it after `end`.
    public mutating func expectResponse(to method: String) {
        guard case .idle = state else { return }
        self.method = method
        state = .statusLine
    }

    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if case .failed = state { return }
        queue.append(bytes)
    }

    /// Takes the unread bytes out: what follows the answer to a CONNECT comes from the tunnel.
    public mutating func takeUnread() -> [UInt8] {
        queue.take(atMost: .max)
    }

    /// - Returns: The next event, or `nil` until more bytes arrive.
    public mutating func nextEvent() -> HTTP1ResponseEvent? {
        do throws(HTTP1Error) {
            return try advance()
        } catch {
            return fail(error)
        }
    }

    /// The peer closed the connection. Call it when `nextEvent` has nothing more.
    ///
    /// - Returns: The `end` of a body without announced length, `failed` for a message that was cut off, else `nil`.
    public mutating func receiveEnd() -> HTTP1ResponseEvent? {
        switch state {
        case .idle, .failed: return nil
        case .statusLine, .fields: return fail(.truncated)
        case .body(var reader):
            do throws(HTTP1Error) {
                try reader.finish()
                state = .idle
                return .end
            } catch {
                return fail(error)
            }
        }
    }

    private mutating func fail(_ error: HTTP1Error) -> HTTP1ResponseEvent {
        state = .failed
        queue.removeAll()
        return .failed(error)
    }

    private mutating func advance() throws(HTTP1Error) -> HTTP1ResponseEvent? {
        switch state {
        case .idle, .failed: return nil
        case .statusLine: return try readStatusLine()
        case .fields(let line, let section):
            state = .failed
            return try readFields(line, section)
        case .body(var reader):
            guard let piece = try reader.next(from: &queue) else {
                state = .body(reader)
                return nil
            }
            state = piece == .end ? .idle : .body(reader)
            if case .bytes(let bytes) = piece { return .body(bytes) }
            return .end
        }
    }

    private mutating func readStatusLine() throws(HTTP1Error) -> HTTP1ResponseEvent? {
        guard case .whole(let range) = try nextLine(limit: limits.startLineBytes, error: .badStatusLine) else {
            return nil
        }
        let line = try queue.withLine(range) { (line) throws(HTTP1Error) in try StatusLine(line) }
        queue.consumeLine()
        return try readFields(line, FieldSection())
    }

    private mutating func readFields(
        _ line: StatusLine, _ section: FieldSection
    ) throws(HTTP1Error) -> HTTP1ResponseEvent? {
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
        _ line: StatusLine, _ section: FieldSection
    ) throws(HTTP1Error) -> HTTP1ResponseEvent? {
        guard line.status != 101 else { throw .unexpectedUpgrade }
        guard line.status >= 200 else {
            state = .statusLine
            return try readStatusLine()
        }
        let framing = try framing(line, section)
        let options = section.connectionOptions
        let keepsAlive = !options.close && framing != .untilClose && (line.version == .http11 || options.keepAlive)
        state = .body(BodyReader(framing, limits: limits))
        return .head(
            HTTP1ResponseStart(
                status: line.status, fields: section.fields, body: framing, keepsAlive: keepsAlive))
    }

    /// RFC 9112 §6.3, in its order.
    private func framing(_ line: StatusLine, _ section: FieldSection) throws(HTTP1Error) -> HTTP1BodyFraming {
        if method == "HEAD" || line.status == 204 || line.status == 304 { return .none }
        if method == "CONNECT", (200..<300).contains(line.status) { return .none }
        switch section.transferCoding {
        case .none: return section.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .untilClose
        case .chunked, .unsupported:
            guard section.contentLength == nil else { throw .ambiguousLength }
            guard section.transferCoding == .chunked else { throw .unsupportedTransferCoding }
            return .chunked
        }
    }

    private mutating func nextLine(limit: Int, error: HTTP1Error) throws(HTTP1Error) -> ByteQueue.Line {
        let line = try queue.nextLine(allowsBareLineFeed: false)
        switch line {
        case .whole(let range): guard range.count <= limit else { throw error }
        case .incomplete(let pending): guard pending <= limit + 1 else { throw error }
        }
        return line
    }
}
