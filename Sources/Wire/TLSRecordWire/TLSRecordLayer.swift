internal import COpenSSL

/// The record protection of one TLS 1.3 connection after its handshake. Source: RFC 8446 §5.
///
/// Sans-IO: takes bytes of the socket and gives content, takes content and gives bytes for the socket. What it gave must
/// be sent whole and in order; it is never sealed again. Keys lie in memory that is wiped with the object.
public final class TLSRecordLayer {
    enum ContentType: UInt8 {
        case alert = 21
        case handshake = 22
        case applicationData = 23
    }

    /// The most content of one record.
    public static let maximumContentBytes = 16_384
    /// Bytes that a record has besides its content: header, type, tag.
    public static let overheadBytes = headerBytes + 1 + TLSCipherSuite.tagBytes
    static let headerBytes = 5

    private let memory: UnsafeMutableRawPointer
    var reading: TrafficKeys
    var writing: TrafficKeys
    /// Records in a row that carried no content.
    var emptyRecords: UInt8 = 0

    /// For a connection on which no record has gone either way under these secrets.
    ///
    /// - Returns: `nil` when a secret has another length than the suite's.
    public init?(suite: TLSCipherSuite, readSecret: UnsafeRawBufferPointer, writeSecret: UnsafeRawBufferPointer) {
        guard readSecret.count == suite.secretBytes, writeSecret.count == suite.secretBytes else { return nil }
        memory = .allocate(byteCount: 2 * suite.stateBytes, alignment: 8)
        reading = TrafficKeys(suite: suite, secret: readSecret, memory: memory)
        writing = TrafficKeys(suite: suite, secret: writeSecret, memory: memory + suite.stateBytes)
    }

    deinit {
        OPENSSL_cleanse(memory, 2 * reading.suite.stateBytes)
        memory.deallocate()
    }

    /// Seals content.
    ///
    /// - Parameters:
    ///   - content: At most `maximumContentBytes`.
    ///   - output: Has room for the content and `overheadBytes`.
    /// - Returns: How many bytes are to be sent.
    public func seal(
        _ content: UnsafeRawBufferPointer, with ciphers: RecordCiphers, into output: UnsafeMutableRawBufferPointer
    ) throws(TLSAlert) -> Int {
        try seal(content, as: .applicationData, with: ciphers, into: output)
    }

    /// Whether the key for writing has protected as much as it may: then `renewWritingKey` comes first.
    public var needsNewWritingKey: Bool { writing.sequence >= writing.suite.maximumRecords }

    /// The record that tells the peer of a new key; what is sealed after it has the new one.
    public func renewWritingKey(with ciphers: RecordCiphers) throws(TLSAlert) -> [UInt8] {
        let record = try control(KeyUpdate.message(requestsAnother: false), as: .handshake, with: ciphers)
        writing.update()
        return record
    }

    /// The record of an alert, after which nothing is sealed any more.
    public func alert(_ alert: TLSAlert, with ciphers: RecordCiphers) -> [UInt8] {
        let level: UInt8 = alert == .closeNotify || alert == .userCanceled ? 1 : 2
        return (try? control([level, alert.rawValue], as: .alert, with: ciphers)) ?? []
    }

    private func control(
        _ message: [UInt8], as type: ContentType, with ciphers: RecordCiphers
    ) throws(TLSAlert) -> [UInt8] {
        var record = [UInt8](repeating: 0, count: message.count + Self.overheadBytes)
        let isSealed = message.withUnsafeBytes { message in
            record.withUnsafeMutableBytes { record in
                (try? seal(message, as: type, with: ciphers, into: record)) != nil
            }
        }
        guard isSealed else { throw .internalError }
        return record
    }

    private func seal(
        _ content: UnsafeRawBufferPointer, as type: ContentType, with ciphers: RecordCiphers,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TLSAlert) -> Int {
        let count = content.count + Self.overheadBytes
        guard content.count <= Self.maximumContentBytes, output.count >= count,
            let start = output.bindMemory(to: UInt8.self).baseAddress
        else { throw .internalError }
        let sealedBytes = count - Self.headerBytes
        start[0] = ContentType.applicationData.rawValue
        start[1] = 3
        start[2] = 3
        start[3] = UInt8(truncatingIfNeeded: sealedBytes >> 8)
        start[4] = UInt8(truncatingIfNeeded: sealedBytes)
        guard ciphers.seal(content, type: type.rawValue, header: start, keys: &writing, into: start + Self.headerBytes)
        else { throw .internalError }
        return count
    }
}
