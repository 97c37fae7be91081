/// Cuts one direction of a device connection into packets: a version byte once, then tag, length, payload.
///
/// Knows no socket and no clock. Holds no memory between packets. Source: Chromium `connection_handler_impl.cc`.
///
/// ```swift
/// reader.receive(bytes)
/// while let element = try reader.next() { … }
/// ```
public struct MCSFrameReader: Sendable {
    public enum Element: Sendable, Equatable {
        /// The first byte of the stream; what it means is the caller's to decide.
        case version(UInt8)
        case packet(MCSPacket)
    }

    /// Skips a byte equal to the version where a tag is expected. One client repeats it before each packet until it
    /// has read one.
    public var skipsRepeatedVersion = false

    private let maximumPayloadBytes: Int
    private var version: UInt8?
    private var unread: [UInt8] = []
    private var position = 0

    /// - Parameter maximumPayloadBytes: Longer ones are refused as soon as their length is known.
    public init(maximumPayloadBytes: Int) {
        self.maximumPayloadBytes = maximumPayloadBytes
    }

    /// Bytes of a packet that is not whole yet; all of them once `next()` has thrown.
    public var unreadBytes: Int { unread.count - position }

    /// Takes the next bytes of the stream, cut anywhere. Read all packets before handing in more.
    public mutating func receive(_ bytes: some Collection<UInt8>) {
        unread += bytes
    }

    /// - Returns: The version or the next whole packet; `nil` until more bytes arrive.
    /// - Throws: After an error the stream cannot be read on: close the connection.
    public mutating func next() throws(MCSError) -> Element? {
        guard let version else {
            guard let first = unread.first else { return nil }
            version = first
            position = 1
            return .version(first)
        }
        while skipsRepeatedVersion, position < unread.count, unread[position] == version { position += 1 }
        guard let frame = try wholeFrame() else {
            dropRead()
            return nil
        }
        let packet = try MCSPacket(tag: unread[position], payload: unread[frame])
        position = frame.upperBound
        return .packet(packet)
    }

    /// Where the payload of the next packet lies, once all of it is there.
    private func wholeFrame() throws(MCSError) -> Range<Int>? {
        guard position < unread.count, let length = try Varint.read(unread[(position + 1)...]) else { return nil }
        guard length.value <= maximumPayloadBytes else { throw .payloadTooLarge(bytes: length.value) }
        let start = position + 1 + length.bytes
        guard unread.count - start >= length.value else { return nil }
        return start..<start + length.value
    }

    private mutating func dropRead() {
        guard position > 0 else { return }
        unread = position < unread.count ? Array(unread[position...]) : []
        position = 0
    }
}
