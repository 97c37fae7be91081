internal import CNghttp2

/// Lays field lines out for nghttp2, which copies them. The scratch memory is used again for the next message.
struct FieldEncoder {
    private var text: [UInt8] = []
    private var vectors: [nghttp2_nv] = []

    mutating func removeAll() {
        text.removeAll(keepingCapacity: true)
        vectors.removeAll(keepingCapacity: true)
    }

    /// Adds a line. A name is written in lower case by nghttp2.
    mutating func append(_ name: String, _ value: String, neverIndexed: Bool = false) {
        let start = text.count
        append(name)
        let middle = text.count
        append(value)
        let flags = neverIndexed ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        vectors.append(
            nghttp2_nv(
                name: nil, value: nil, namelen: middle - start, valuelen: text.count - middle,
                flags: UInt8(flags.rawValue)))
    }

    /// One copy of memory; the generic way through `utf8` costs several times more.
    private mutating func append(_ string: String) {
        var string = string
        string.withUTF8 { text.append(contentsOf: $0) }
    }

    /// Starts with the lines of another encoder.
    mutating func reset(to other: FieldEncoder) {
        removeAll()
        text.append(contentsOf: other.text)
        vectors.append(contentsOf: other.vectors)
    }

    /// Calls `body` with vectors that point into the scratch memory.
    mutating func withVectors<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        vectors.withUnsafeMutableBufferPointer { [text] vectors in
            text.withUnsafeBufferPointer { text in
                var next = UnsafeMutablePointer(mutating: text.baseAddress)
                for index in vectors.indices {
                    vectors[index].name = next
                    next = next.map { $0 + vectors[index].namelen }
                    vectors[index].value = next
                    next = next.map { $0 + vectors[index].valuelen }
                }
                return body(UnsafePointer(vectors.baseAddress), vectors.count)
            }
        }
    }
}
