import Bytes
import Crypto

extension EncryptedPushContent {
    /// A content that an application server brought, when a browser can decrypt its form: one record, with the sender's
    /// key and salt where they belong.
    ///
    /// - Parameters:
    ///   - contentEncoding: The value of `Content-Encoding`.
    ///   - cryptoKey: The value of `Crypto-Key`, kept as it is for `aesgcm`.
    ///   - encryption: The value of `Encryption`, kept as it is for `aesgcm`.
    /// - Throws: `malformedHeader`, also for another encoding; `malformedBody`.
    public init(
        body: [UInt8], contentEncoding: String?, cryptoKey: String?, encryption: String?
    ) throws(WebPushError) {
        guard let encoding = contentEncoding.flatMap({ WebPushEncoding(rawValue: $0.lowercased()) }) else {
            throw .malformedHeader
        }
        switch encoding {
        case .aes128gcm:
            let header = try ContentHeader(parsing: body)
            let sealedBytes = body.count - ContentHeader.byteCount
            guard AES128GCM.tagByteCount < sealedBytes, sealedBytes <= header.recordBytes else { throw .malformedBody }
            self.init(encoding: encoding, body: body)
        case .aesgcm:
            _ = try DraftParameters(cryptoKey: cryptoKey, encryption: encryption)
            guard body.count > AES128GCM.tagByteCount else { throw .malformedBody }
            self.init(encoding: encoding, body: body, cryptoKey: cryptoKey, encryption: encryption)
        }
    }
}

/// What `Crypto-Key` and `Encryption` say with `aesgcm`. Source: draft-ietf-httpbis-encryption-encoding-03 §3.1 and §4.
struct DraftParameters: Equatable {
    /// The size of a record when `Encryption` names none.
    private static let defaultRecordBytes = 4_096

    /// The sender's public key, 65 bytes.
    let sender: [UInt8]
    let salt: [UInt8]
    let recordBytes: Int

    /// - Throws: `malformedHeader`.
    init(cryptoKey: String?, encryption: String?) throws(WebPushError) {
        guard let keys = HeaderParameters(cryptoKey ?? ""), let settings = HeaderParameters(encryption ?? ""),
            let sender = keys["dh"].flatMap(Base64URL.decode), let salt = settings["salt"].flatMap(Base64URL.decode),
            sender.count == WebPushSubscription.publicKeyByteCount, salt.count == ContentHeader.saltByteCount,
            let recordBytes = Int(settings["rs"] ?? "\(Self.defaultRecordBytes)")
        else { throw .malformedHeader }
        self.sender = sender
        self.salt = salt
        self.recordBytes = recordBytes
    }
}
