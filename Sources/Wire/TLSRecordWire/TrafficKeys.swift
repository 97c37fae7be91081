internal import COpenSSL

/// The secret, key and nonce vector of one direction, in memory that a `TLSRecordLayer` owns.
///
/// What never happens twice is sealing with one sequence number: each use counts, and a new key starts at 0.
struct TrafficKeys {
    let suite: TLSCipherSuite
    private let memory: UnsafeMutableRawPointer
    /// Of the next record (RFC 8446 §5.3).
    private(set) var sequence: UInt64 = 0

    private var secret: UnsafeMutableRawPointer { memory }
    var key: UnsafeMutablePointer<UInt8> { (memory + suite.secretBytes).assumingMemoryBound(to: UInt8.self) }
    private var vector: UnsafeMutablePointer<UInt8> { key + suite.keyBytes }

    /// - Parameters:
    ///   - secret: As many bytes as the suite's secrets have.
    ///   - memory: As many bytes as the suite's state has.
    init(suite: TLSCipherSuite, secret: UnsafeRawBufferPointer, memory: UnsafeMutableRawPointer) {
        self.suite = suite
        self.memory = memory
        UnsafeMutableRawBufferPointer(start: memory, count: suite.secretBytes).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: secret.prefix(suite.secretBytes)))
        deriveKeys()
    }

    /// Goes on with the next generation of keys. Source: RFC 8446 §7.2.
    mutating func update() {
        withUnsafeTemporaryAllocation(byteCount: suite.secretBytes, alignment: 1) { next in
            expand("traffic upd", into: next)
            UnsafeMutableRawBufferPointer(start: secret, count: suite.secretBytes).copyMemory(from: .init(next))
            OPENSSL_cleanse(next.baseAddress, next.count)
        }
        deriveKeys()
        sequence = 0
    }

    private func deriveKeys() {
        expand("key", into: UnsafeMutableRawBufferPointer(start: key, count: suite.keyBytes))
        expand("iv", into: UnsafeMutableRawBufferPointer(start: vector, count: TLSCipherSuite.nonceBytes))
    }

    /// HKDF-Expand-Label without context, for at most one block of the hash. Source: RFC 8446 §7.1, RFC 5869 §2.3.
    private func expand(_ label: StaticString, into output: UnsafeMutableRawBufferPointer) {
        let prefix: StaticString = "tls13 "
        let labelBytes = prefix.utf8CodeUnitCount + label.utf8CodeUnitCount
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 + Int(EVP_MAX_MD_SIZE)) { space in
            var count = 0
            func append(_ byte: UInt8) {
                space[count] = byte
                count += 1
            }
            append(0)
            append(UInt8(truncatingIfNeeded: output.count))
            append(UInt8(truncatingIfNeeded: labelBytes))
            for text in [prefix, label] { text.withUTF8Buffer { $0.forEach(append) } }
            append(0)
            append(1)
            let block = UnsafeMutableBufferPointer(rebasing: space[64...])
            let made = HMAC(
                suite.hash, secret, Int32(suite.secretBytes), space.baseAddress, count, block.baseAddress, nil)
            precondition(made != nil, "HMAC failed for lack of memory")
            output.copyMemory(from: UnsafeRawBufferPointer(start: block.baseAddress, count: output.count))
            OPENSSL_cleanse(block.baseAddress, block.count)
        }
    }

    /// Hands out the nonce of the next record, and counts it. Source: RFC 8446 §5.3.
    mutating func withNextNonce<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let number = sequence
        sequence &+= 1
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TLSCipherSuite.nonceBytes) { nonce in
            for place in 0..<TLSCipherSuite.nonceBytes {
                let shift = (TLSCipherSuite.nonceBytes - 1 - place) * 8
                nonce[place] = vector[place] ^ (shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0)
            }
            return body(UnsafePointer(nonce.baseAddress ?? UnsafeMutablePointer(vector)))
        }
    }
}
