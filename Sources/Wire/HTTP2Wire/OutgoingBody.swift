internal import CNghttp2

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Body bytes of a connection that are submitted and not yet in a frame.
final class UnsentBytes {
    @exclusivity(unchecked) var count = 0
}

/// The body of one message on its way out: nghttp2 takes as much at a time as frame and windows allow.
final class OutgoingBody {
    @exclusivity(unchecked) private var bytes: [UInt8]
    @exclusivity(unchecked) private var offset = 0
    private let counter: UnsentBytes?
    /// More bytes will come.
    @exclusivity(unchecked) private(set) var isOpen: Bool

    init(_ bytes: [UInt8], countedIn counter: UnsentBytes? = nil, isOpen: Bool = false) {
        self.bytes = bytes
        self.counter = counter
        self.isOpen = isOpen
    }

    /// Adds bytes to an open body.
    func append(_ more: [UInt8], isLast: Bool) {
        bytes.removeFirst(offset)
        offset = 0
        bytes += more
        if isLast { isOpen = false }
    }

    var unsentBytes: Int { bytes.count - offset }

    /// The provider holds `self` unretained: the session's stream table keeps it until the stream closes.
    var provider: nghttp2_data_provider {
        var source = nghttp2_data_source()
        source.ptr = Unmanaged.passUnretained(self).toOpaque()
        return nghttp2_data_provider(source: source) { _, _, buffer, length, flags, source, _ in
            guard let pointer = source?.pointee.ptr, let buffer, let flags else {
                return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
            }
            return Unmanaged<OutgoingBody>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.read(into: buffer, limit: length, flags: flags)
            }
        }
    }

    private func read(
        into buffer: UnsafeMutablePointer<UInt8>, limit: Int, flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        if isOpen, unsentBytes == 0 { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        let count = min(limit, unsentBytes)
        bytes.withUnsafeBytes { all in
            guard count > 0, let base = all.baseAddress else { return }
            memcpy(buffer, base + offset, count)
        }
        offset += count
        if offset == bytes.count, !isOpen { flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
        counter?.count -= count
        return count
    }
}
