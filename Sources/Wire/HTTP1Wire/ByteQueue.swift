/// Received bytes that are not consumed yet. Holds memory only while it holds bytes.
struct ByteQueue: Sendable {
    private var bytes: [UInt8] = []
    private var head = 0
    /// Up to here no line feed was found.
    private var scanned = 0

    var count: Int { bytes.count - head }

    enum Line {
        /// Where the line lies, without its end.
        case whole(Range<Int>)
        /// Bytes of the line so far.
        case incomplete(Int)
    }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        if head >= 4_096, head > bytes.count / 2 {
            bytes.removeFirst(head)
            scanned -= head
            head = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next line, which stays until `consumeLine`. Looks at no byte twice.
    mutating func nextLine(allowsBareLineFeed: Bool) throws(HTTP1Error) -> Line {
        let start = max(head, scanned)
        let found = bytes.withUnsafeBufferPointer { ASCII.lineFeed.firstIndex(in: $0, from: start) }
        guard let found else {
            scanned = bytes.count
            return .incomplete(count)
        }
        scanned = found
        if found > head, bytes[found - 1] == ASCII.carriageReturn { return .whole(head..<found - 1) }
        guard allowsBareLineFeed else { throw .bareLineEnd }
        return .whole(head..<found)
    }

    /// Drops the line that `nextLine` found, with its end.
    mutating func consumeLine() {
        consume(scanned + 1 - head)
    }

    func withLine<Result>(
        _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws(HTTP1Error) -> Result
    ) throws(HTTP1Error) -> Result {
        try bytes.withUnsafeBufferPointer { (all) throws(HTTP1Error) -> Result in
            try body(UnsafeBufferPointer(rebasing: all[range]))
        }
    }

    func byte(at offset: Int) -> UInt8 {
        bytes[head + offset]
    }

    /// Takes at most `limit` bytes out.
    mutating func take(atMost limit: Int) -> [UInt8] {
        let size = min(limit, count)
        if head == 0, size == bytes.count {
            defer { removeAll() }
            return bytes
        }
        defer { consume(size) }
        return Array(bytes[head..<head + size])
    }

    mutating func consume(_ size: Int) {
        head += size
        if head >= bytes.count { removeAll() }
    }

    mutating func removeAll() {
        bytes = []
        head = 0
        scanned = 0
    }
}
