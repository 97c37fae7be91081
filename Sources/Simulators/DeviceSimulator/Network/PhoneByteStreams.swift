import EventLoop
import FirebasePlatform
import Synchronization

/// The connections of one phone: none without a network, and those there are break when it goes.
final class PhoneByteStreams: ByteStreamConnector {
    typealias Events = @Sendable (ByteStreamEvent) -> Void

    private struct State {
        var nextID = 0
        var open: [Int: (stream: any ByteStream, events: Events)] = [:]
        var ended: Set<Int> = []
    }

    private let inner: any ByteStreamConnector
    private let loop: EventLoop
    private let isOnline: @Sendable () -> Bool
    private let state = Mutex(State())

    init(_ inner: any ByteStreamConnector, loop: EventLoop, isOnline: @escaping @Sendable () -> Bool) {
        self.inner = inner
        self.loop = loop
        self.isOnline = isOnline
    }

    func connect(host: String, port: UInt16, events: @escaping Events) -> any ByteStream {
        guard isOnline() else {
            _ = loop.execute { events(.closed(.notConnectedToInternet)) }
            return NoStream()
        }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let stream = inner.connect(host: host, port: port) { [weak self] event in
            guard self?.passes(event, of: id) == true else { return }
            events(event)
        }
        state.withLock { state in
            if state.ended.remove(id) == nil { state.open[id] = (stream, events) }
        }
        return stream
    }

    /// Nothing more comes from a connection that broke.
    private func passes(_ event: ByteStreamEvent, of id: Int) -> Bool {
        state.withLock { state in
            guard case .closed = event else { return !state.ended.contains(id) }
            if state.ended.remove(id) != nil { return false }
            if state.open.removeValue(forKey: id) == nil { state.ended.insert(id) }
            return true
        }
    }

    /// The network is gone.
    func breakAll() {
        let broken = state.withLock { state in
            defer { state.open = [:] }
            state.ended.formUnion(state.open.keys)
            return state.open.sorted { $0.key < $1.key }.map(\.value)
        }
        for (stream, events) in broken {
            stream.close()
            events(.closed(.networkConnectionLost))
        }
    }
}

/// A connection that never was.
private struct NoStream: ByteStream {
    func write(_ bytes: [UInt8]) {}
    func close() {}
}
