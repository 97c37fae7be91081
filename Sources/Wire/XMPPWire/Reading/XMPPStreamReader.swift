/// Reads one direction of an XMPP stream: bytes in, stanzas out. Source: RFC 6120 §4, §11.
///
/// Events are pulled: whoever is busy with a stanza lets the next ones lie as bytes, and stops reading from the peer
/// while `unreadBytes` is large. Document types, entities, comments and processing instructions are refused, so that no
/// input grows inside the parser.
///
/// Not `Sendable`: belongs to the loop of its connection.
public final class XMPPStreamReader {
    private let limits: XMPPLimits
    private var queue = ByteQueue()
    private var parser: StreamParser
    private var isFinished = false

    public init(limits: XMPPLimits = XMPPLimits()) {
        self.limits = limits
        parser = StreamParser(limits: limits)
    }

    /// Bytes that are received and not yet part of an event that was pulled.
    public var unreadBytes: Int { queue.count }

    public func receive(_ bytes: UnsafeRawBufferPointer) {
        guard !isFinished else { return }
        queue.append(bytes)
    }

    /// - Returns: The next event, or `nil` until more bytes arrive.
    public func nextEvent() -> XMPPStreamEvent? {
        guard !isFinished else { return nil }
        while true {
            if let event = parser.takeEvent() { return finish(event) }
            let slice: Void? = queue.takeSlice(atMost: StreamParser.maximumSliceBytes) { parser.parse($0) }
            if slice == nil { return nil }
        }
    }

    /// Begins with a new stream on the same connection, as after SASL. Unread bytes belong to it.
    /// Source: RFC 6120 §4.3.3.
    public func restart() {
        guard !isFinished else { return }
        parser = StreamParser(limits: limits)
    }

    private func finish(_ event: XMPPStreamEvent) -> XMPPStreamEvent {
        switch event {
        case .opened, .stanza: break
        case .ended, .failed:
            isFinished = true
            queue.removeAll()
        }
        return event
    }
}
