/// Undoes gzip and zlib compression.
public enum Inflation {
    private static let stepBytes = 16_384

    /// - Parameter maximumBytes: Of output. Checked while inflating: no more than that and one step is ever held.
    public static func inflate(
        _ input: [UInt8], format: CompressionFormat, maximumBytes: Int
    ) throws(CompressionError) -> [UInt8] {
        let stream = InflateStream(format)
        var output: [UInt8] = []
        var scratch = [UInt8](repeating: 0, count: min(stepBytes, max(maximumBytes, 0) + 1))
        var offset = 0
        while true {
            let step = try input.withUnsafeBufferPointer { (all) throws(CompressionError) in
                try scratch.withUnsafeMutableBufferPointer { (room) throws(CompressionError) in
                    try stream.step(UnsafeBufferPointer(rebasing: all[offset...]), into: room)
                }
            }
            offset += step.consumed
            guard output.count + step.produced <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
            output += scratch[..<step.produced]
            switch step.progress {
            case .needsRoom: continue
            case .needsInput: guard offset < input.count else { throw .truncated }
            case .ended:
                guard offset < input.count else { return output }
                guard format == .gzip else { throw .corrupt }
                stream.restart()
            }
        }
    }
}
