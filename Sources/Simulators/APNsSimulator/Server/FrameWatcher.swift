/// Counts the requests in a client's bytes by frame headers alone, whatever the HTTP/2 session makes of them: it
/// passes over requests on a connection that it has given up. Source: RFC 9113 §3.4, §4.1.
struct FrameWatcher {
    private static let prefaceBytes = 24
    private static let headerBytes = 9
    private static let headersType: UInt8 = 1

    /// Bytes to pass over before the next frame header.
    private var skip = Self.prefaceBytes
    private var header: [UInt8] = []
    private var highestStream: UInt32 = 0

    /// - Returns: How many new streams begin in the bytes.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        var requests = 0
        var position = 0
        while position < bytes.count {
            let passed = min(skip, bytes.count - position)
            position += passed
            skip -= passed
            guard position < bytes.count else { break }
            let taken = min(Self.headerBytes - header.count, bytes.count - position)
            header.append(contentsOf: bytes[position..<position + taken])
            position += taken
            if header.count == Self.headerBytes, endsHeader() { requests += 1 }
        }
        return requests
    }

    /// - Returns: Whether the frame begins a stream.
    private mutating func endsHeader() -> Bool {
        defer { header.removeAll(keepingCapacity: true) }
        skip = header[..<3].reduce(0) { $0 << 8 | Int($1) }
        let stream = header[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        guard header[3] == Self.headersType, stream > highestStream else { return false }
        highestStream = stream
        return true
    }
}
