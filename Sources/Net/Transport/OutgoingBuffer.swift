/// Bytes that the kernel has not taken yet. Holds memory only while it holds bytes.
struct OutgoingBuffer {
    private static let compactionBytes = 65_536

    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    var isEmpty: Bool { sent == bytes.count }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Forgets the first bytes.
    mutating func consume(_ count: Int) {
        sent += count
        if isEmpty {
            bytes = []
            sent = 0
        } else if sent >= Self.compactionBytes, sent >= bytes.count / 2 {
            bytes.removeFirst(sent)
            sent = 0
        }
    }

    mutating func removeAll() {
        bytes = []
        sent = 0
    }

    func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
    }
}
