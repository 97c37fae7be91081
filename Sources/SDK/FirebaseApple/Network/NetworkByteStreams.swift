#if canImport(Darwin)
    import Darwin
    import Dispatch
    import FirebasePlatform
    import Foundation
    import Network
    import Synchronization

    /// TLS connections of the Network framework, for the direct channel.
    struct NetworkByteStreams: ByteStreamConnector {
        private static let timeoutSeconds = 30

        func connect(
            host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void
        ) -> any ByteStream {
            let tcp = NWProtocolTCP.Options()
            tcp.connectionTimeout = Self.timeoutSeconds
            tcp.noDelay = true
            let stream = NetworkByteStream(
                NWConnection(
                    host: NWEndpoint.Host(host), port: NWEndpoint.Port(rawValue: port) ?? .https,
                    using: NWParameters(tls: NWProtocolTLS.Options(), tcp: tcp)),
                events: events)
            stream.start()
            return stream
        }
    }

    /// One connection. Its queue runs one event after the other.
    private final class NetworkByteStream: ByteStream {
        private static let maximumReadBytes = 16 << 10

        private struct State {
            var isOpen = false
            var hasEnded = false
        }

        private let connection: NWConnection
        private let events: @Sendable (ByteStreamEvent) -> Void
        private let queue = DispatchQueue(label: "com.google.firebase.direct-channel")
        private let state = Mutex(State())

        init(_ connection: NWConnection, events: @escaping @Sendable (ByteStreamEvent) -> Void) {
            self.connection = connection
            self.events = events
        }

        /// The connection's handlers keep the stream; `end` takes them away.
        func start() {
            connection.stateUpdateHandler = { [self] in receive($0) }
            connection.start(queue: queue)
        }

        func write(_ bytes: [UInt8]) {
            guard state.withLock({ $0.isOpen && !$0.hasEnded }) else { return }
            connection.send(
                content: Data(bytes),
                completion: .contentProcessed { [self] error in
                    if let error { end(WebError(error)) }
                })
        }

        /// The end goes out after what waits; then the connection is of no use.
        func close() {
            connection.send(
                content: nil, contentContext: .finalMessage, isComplete: true,
                completion: .contentProcessed { [self] _ in end(nil) })
        }

        private func receive(_ state: NWConnection.State) {
            switch state {
            case .ready:
                self.state.withLock { $0.isOpen = true }
                events(.opened)
                read()
            case .waiting(let error), .failed(let error): end(WebError(error))
            case .cancelled: end(nil)
            case .setup, .preparing: break
            @unknown default: break
            }
        }

        private func read() {
            connection.receive(
                minimumIncompleteLength: 1, maximumLength: Self.maximumReadBytes
            ) { [self] data, _, isComplete, error in
                if let data, !data.isEmpty { events(.received(Array(data))) }
                if let error { return end(WebError(error)) }
                if isComplete { return end(nil) }
                read()
            }
        }

        private func end(_ error: WebError?) {
            let isNew = state.withLock { state in
                defer { state.hasEnded = true }
                return !state.hasEnded
            }
            guard isNew else { return }
            connection.stateUpdateHandler = nil
            connection.cancel()
            events(.closed(error))
        }
    }

    extension WebError {
        fileprivate init(_ error: NWError) {
            switch error {
            case .dns: self = .cannotFindHost
            case .tls: self = .secureConnectionFailed
            case .posix(.ECONNREFUSED), .posix(.EHOSTUNREACH): self = .cannotConnectToHost
            case .posix(.ETIMEDOUT): self = .timedOut
            case .posix(.ENETDOWN), .posix(.ENETUNREACH): self = .notConnectedToInternet
            default: self = .networkConnectionLost
            }
        }
    }
#endif
