import Synchronization

/// Byte streams whose other end somebody else plays.
public final class ManualByteStreams: ByteStreamConnector {
    private let list = Mutex<[ManualByteStream]>([])
    private let observers = Observers<ManualByteStream>()

    public init() {}

    /// Every stream asked for so far, oldest first.
    public var streams: [ManualByteStream] { list.withLock { $0 } }

    /// Calls `handler` for each stream that is asked for, before the caller has it.
    public func observe(_ handler: @escaping @Sendable (ManualByteStream) -> Void) -> Observation {
        observers.add(handler)
    }

    public func connect(
        host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void
    ) -> any ByteStream {
        let stream = ManualByteStream(host: host, port: port, events: events)
        list.withLock { $0.append(stream) }
        observers.notify(stream)
        return stream
    }
}

/// A byte stream in memory, seen from the server's end.
public final class ManualByteStream: ByteStream {
    private struct State {
        var isOpen = false
        var hasEnded = false
        var isClosedByClient = false
        var written: [UInt8] = []
    }

    public let host: String
    public let port: UInt16
    private let events: @Sendable (ByteStreamEvent) -> Void
    private let state = Mutex(State())

    init(host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void) {
        self.host = host
        self.port = port
        self.events = events
    }

    public func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.isOpen, !state.isClosedByClient, !state.hasEnded else { return }
            state.written += bytes
        }
    }

    public func close() {
        state.withLock { $0.isClosedByClient = true }
    }

    /// Whether the client has ended the stream.
    public var isClosedByClient: Bool { state.withLock(\.isClosedByClient) }

    /// What the client wrote since the last call.
    public func takeWritten() -> [UInt8] {
        state.withLock { state in
            defer { state.written = [] }
            return state.written
        }
    }

    /// The connection is up.
    public func open() {
        let isNew = state.withLock { state in
            guard !state.isOpen, !state.hasEnded, !state.isClosedByClient else { return false }
            state.isOpen = true
            return true
        }
        if isNew { events(.opened) }
    }

    /// The server sends bytes.
    public func deliver(_ bytes: [UInt8]) {
        guard state.withLock({ $0.isOpen && !$0.hasEnded && !$0.isClosedByClient }) else { return }
        events(.received(bytes))
    }

    /// The connection ends.
    ///
    /// - Parameter error: `nil` when the server ended it properly.
    public func end(_ error: WebError? = nil) {
        let isNew = state.withLock { state in
            guard !state.hasEnded, !state.isClosedByClient else { return false }
            state.hasEnded = true
            return true
        }
        if isNew { events(.closed(error)) }
    }
}
