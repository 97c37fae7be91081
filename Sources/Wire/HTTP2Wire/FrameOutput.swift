/// Gathers a session's frames into buffers of the caller's size, and keeps the tail of a frame that did not fit.
struct FrameOutput {
    private var tail: [UInt8] = []
    private var offset = 0
    private var hasFailed = false

    func wantsWrite(_ handle: borrowing SessionHandle) -> Bool {
        offset < tail.count || !hasFailed && handle.wantsWrite
    }

    /// Appends frames to `output` until it holds `maximum` bytes.
    ///
    /// - Parameter edit: Gives another form of a frame, or `nil` to take it as it is.
    mutating func drain(
        _ handle: borrowing SessionHandle, into output: inout [UInt8], maximum: Int,
        edit: (UnsafeRawBufferPointer) -> [UInt8]? = { _ in nil }
    ) throws(HTTP2Error) {
        moveTail(to: &output, limit: maximum - output.count)
        while !hasFailed, output.count < maximum {
            do throws(HTTP2Error) {
                guard let frame = try handle.nextFrame() else { return }
                if let edited = edit(frame) {
                    edited.withUnsafeBytes { append($0, to: &output, maximum: maximum) }
                } else {
                    append(frame, to: &output, maximum: maximum)
                }
            } catch {
                hasFailed = true
                throw error
            }
        }
    }

    private mutating func append(_ frame: UnsafeRawBufferPointer, to output: inout [UInt8], maximum: Int) {
        let room = min(frame.count, maximum - output.count)
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: frame[..<room]))
        if room < frame.count { tail = Array(frame[room...]) }
    }

    private mutating func moveTail(to output: inout [UInt8], limit: Int) {
        let count = min(limit, tail.count - offset)
        guard count > 0 else { return }
        output += tail[offset..<offset + count]
        offset += count
        guard offset == tail.count else { return }
        tail = []
        offset = 0
    }
}
