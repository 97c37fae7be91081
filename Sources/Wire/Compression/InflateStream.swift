internal import CZlib

/// One zlib decompressor. Owns its state, which is freed when the value goes away.
struct InflateStream: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: CompressionFormat) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard czlib_inflate_init(stream, format.windowBits) == Z_OK else { fatalError("out of memory") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    enum Progress { case needsInput, needsRoom, ended }

    /// Turns bytes from the front of `input` into bytes at the front of `output`.
    ///
    /// - Returns: How many of both, and what it waits for.
    func step(
        _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(CompressionError) -> (consumed: Int, produced: Int, progress: Progress) {
        let inputBytes = UInt32(clamping: input.count)
        let outputBytes = UInt32(clamping: output.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = inputBytes
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = outputBytes
        let result = CZlib.inflate(stream, Z_NO_FLUSH)
        let consumed = Int(inputBytes - stream.pointee.avail_in)
        let produced = Int(outputBytes - stream.pointee.avail_out)
        switch result {
        case Z_STREAM_END: return (consumed, produced, .ended)
        case Z_OK, Z_BUF_ERROR:
            return (consumed, produced, stream.pointee.avail_out == 0 ? .needsRoom : .needsInput)
        default: throw .corrupt
        }
    }

    /// Makes ready for the next member of a gzip file.
    func restart() {
        inflateReset(stream)
    }
}
