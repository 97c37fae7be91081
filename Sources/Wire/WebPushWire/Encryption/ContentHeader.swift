/// What stands in front of the ciphertext with `aes128gcm`. Source: RFC 8188 §2.1.
///
/// 16 bytes of salt, the record size (4 bytes, big-endian), the length of the key id and the key id, which for web push
/// is the sender's public key of 65 bytes (RFC 8291 §4).
struct ContentHeader: Equatable {
    static let byteCount = saltByteCount + 5 + WebPushSubscription.publicKeyByteCount
    static let saltByteCount = 16
    /// The shortest record: one byte of padding delimiter, one of content, 16 of tag.
    static let shortestRecordBytes = 18

    var salt: [UInt8]
    var recordBytes: Int
    var sender: [UInt8]

    init(salt: [UInt8], recordBytes: Int, sender: [UInt8]) {
        self.salt = salt
        self.recordBytes = recordBytes
        self.sender = sender
    }

    /// - Throws: `malformedBody` also for a key id of another length.
    init(parsing body: [UInt8]) throws(WebPushError) {
        guard body.count >= Self.byteCount, body[20] == UInt8(WebPushSubscription.publicKeyByteCount) else {
            throw .malformedBody
        }
        salt = Array(body[0..<16])
        recordBytes = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        sender = Array(body[21..<Self.byteCount])
        guard recordBytes >= Self.shortestRecordBytes else { throw .malformedBody }
    }

    var encoded: [UInt8] {
        let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: recordBytes >> $0) }
        return salt + size + [UInt8(truncatingIfNeeded: sender.count)] + sender
    }
}
