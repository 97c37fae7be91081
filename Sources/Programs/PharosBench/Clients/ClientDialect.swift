/// The client's side of a protocol whose server sends messages to many clients: bytes in, bytes out.
protocol ClientDialect {
    /// What a client says first.
    mutating func begin(into output: inout [UInt8])

    /// Reads what the server sent, and answers it.
    ///
    /// - Throws: When the server refuses the client or sends what it should not.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(BenchFailure) -> ClientProgress

    /// Appends a message to everybody, from a client that publishes.
    mutating func publish(_ body: [UInt8], into output: inout [UInt8])

    /// Appends a message to the one whom this client writes to.
    ///
    /// - Parameters:
    ///   - name: Its id; the receiver reports it.
    ///   - bytes: Of the text in it.
    mutating func send(_ name: String, bytes: Int, into output: inout [UInt8])
}

/// What came of some bytes of the server.
struct ClientProgress {
    /// The client is logged in, and has asked for its messages.
    var isReady = false
    /// Messages for the client.
    var messages = 0
    /// Of messages that another client sent by `send`.
    var names: [String] = []
}

extension ClientDialect {
    mutating func publish(_ body: [UInt8], into output: inout [UInt8]) {}
    mutating func send(_ name: String, bytes: Int, into output: inout [UInt8]) {}
}

/// Bytes of a stream that are not read yet. Keeps none when all are read.
struct UnreadBytes {
    private(set) var bytes: [UInt8] = []
    var position = 0

    var count: Int { bytes.count - position }

    /// - Parameter place: Counted from the next unread byte; must be below `count`.
    subscript(place: Int) -> UInt8 { bytes[position + place] }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes += more
    }

    mutating func dropRead() {
        guard position > 0 else { return }
        bytes = position < bytes.count ? Array(bytes[position...]) : []
        position = 0
    }
}
