/// What happens on a byte stream, in this order: `opened` at most once, `received` any number of times, `closed` once.
public enum ByteStreamEvent: Sendable, Hashable {
    /// The TLS handshake is done and the server's certificate is good: bytes can be written.
    case opened
    case received([UInt8])
    /// The last event. `nil`: the server ended the stream properly.
    case closed(WebError?)
}

/// A connection that carries bytes both ways, under TLS from the first byte on.
public protocol ByteStream: Sendable {
    /// Sends the bytes after those of earlier calls. Dropped unless the stream is open.
    func write(_ bytes: [UInt8])
    /// Sends what waits and ends the stream. Whether `closed` is still reported is left open.
    func close()
}

/// Opens byte streams to servers.
public protocol ByteStreamConnector: Sendable {
    /// Connects; gives up by itself, but may take its time.
    ///
    /// - Parameter events: Called for each event, one after the other, on any thread, never before this call returns.
    func connect(
        host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void
    ) -> any ByteStream
}
