internal import CZlib

/// Compresses with gzip or zlib.
public enum Deflation {
    /// - Parameter level: 1, fastest, to 9, smallest.
    public static func deflate(_ input: [UInt8], format: CompressionFormat, level: Int = 6) -> [UInt8] {
        var stream = z_stream()
        let level = Int32(min(max(level, 1), 9))
        guard czlib_deflate_init(&stream, level, format.windowBits) == Z_OK else { fatalError("out of memory") }
        defer { deflateEnd(&stream) }
        var output: [UInt8] = []
        var offset = 0
        var scratch = [UInt8](repeating: 0, count: 16_384)
        while true {
            let step = input.withUnsafeBufferPointer { all in
                scratch.withUnsafeMutableBufferPointer { room in
                    write(UnsafeBufferPointer(rebasing: all[offset...]), to: room, through: &stream)
                }
            }
            offset += step.consumed
            output += scratch[..<step.produced]
            if step.hasEnded { return output }
        }
    }

    private static func write(
        _ input: UnsafeBufferPointer<UInt8>, to room: UnsafeMutableBufferPointer<UInt8>, through stream: inout z_stream
    ) -> (consumed: Int, produced: Int, hasEnded: Bool) {
        let inputBytes = UInt32(clamping: input.count)
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = inputBytes
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(room.count)
        let isLast = Int(inputBytes) == input.count
        let result = CZlib.deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        let consumed = Int(inputBytes - stream.avail_in)
        return (consumed, room.count - Int(stream.avail_out), result == Z_STREAM_END)
    }
}
