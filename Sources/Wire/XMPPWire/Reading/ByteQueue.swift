/// Received bytes that the parser has not had. Holds memory only while it holds bytes.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var head = 0

    var count: Int { bytes.count - head }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        if head >= 4_096, head > bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
        bytes.append(contentsOf: new)
    }

    /// Hands over the next bytes: up to and with the first `>`, and at most so many.
    ///
    /// - Returns: What `body` returns; `nil` when there are no bytes.
    mutating func takeSlice<Result>(
        atMost limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        guard count > 0 else { return nil }
        let (result, size) = bytes.withUnsafeBufferPointer { all in
            let window = UnsafeBufferPointer(rebasing: all[head..<min(all.count, head + limit)])
            let size = window.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? window.count
            return (body(UnsafeBufferPointer(rebasing: window[..<size])), size)
        }
        head += size
        if head == bytes.count { removeAll() }
        return result
    }

    mutating func removeAll() {
        bytes = []
        head = 0
    }
}
