/// The tail of a frame that did not fit into the caller's buffer.
struct FrameRemainder {
    private var bytes: [UInt8] = []
    private var offset = 0

    var isEmpty: Bool { offset == bytes.count }

    /// Appends a frame to `output` up to `maximum` bytes and keeps the rest.
    mutating func append(_ frame: UnsafeRawBufferPointer, to output: inout [UInt8], maximum: Int) {
        let room = min(frame.count, maximum - output.count)
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: frame[..<room]))
        guard room < frame.count else { return }
        bytes = Array(frame[room...])
        offset = 0
    }

    /// Moves at most `limit` bytes to `output`.
    mutating func move(to output: inout [UInt8], limit: Int) {
        let count = min(limit, bytes.count - offset)
        guard count > 0 else { return }
        output += bytes[offset..<offset + count]
        offset += count
        if isEmpty {
            bytes = []
            offset = 0
        }
    }
}
