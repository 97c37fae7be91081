import Bytes
import Crypto

extension WebPushReceiver {
    /// The size of a record when `Encryption` names none. Source: draft-ietf-httpbis-encryption-encoding-03 §3.1.
    private static let defaultRecordBytes = 4_096

    /// Decrypts as a browser does: one record, whole.
    public func open(_ content: EncryptedPushContent) throws(WebPushError) -> [UInt8] {
        switch content.encoding {
        case .aes128gcm: try openStandard(content.body)
        case .aesgcm: try openDraft(content)
        }
    }

    private func openStandard(_ body: [UInt8]) throws(WebPushError) -> [UInt8] {
        let header = try ContentHeader(parsing: body)
        let sealed = Array(body.dropFirst(ContentHeader.byteCount))
        guard sealed.count <= header.recordBytes else { throw .malformedBody }
        let record = try openRecord(sealed, .aes128gcm, sender: header.sender, salt: header.salt)
        guard let end = record.lastIndex(where: { $0 != 0 }), record[end] == RecordPadding.lastRecord else {
            throw .malformedBody
        }
        return Array(record[..<end])
    }

    private func openDraft(_ content: EncryptedPushContent) throws(WebPushError) -> [UInt8] {
        guard let keys = HeaderParameters(content.cryptoKey ?? ""),
            let settings = HeaderParameters(content.encryption ?? ""),
            let sender = keys["dh"].flatMap(Base64URL.decode), let salt = settings["salt"].flatMap(Base64URL.decode),
            sender.count == WebPushSubscription.publicKeyByteCount, salt.count == ContentHeader.saltByteCount,
            let recordBytes = Int(settings["rs"] ?? "\(Self.defaultRecordBytes)")
        else { throw .malformedHeader }
        guard content.body.count - AES128GCM.tagByteCount <= recordBytes else { throw .malformedBody }
        let record = try openRecord(content.body, .aesgcm, sender: sender, salt: salt)
        guard record.count >= 2 else { throw .malformedBody }
        let start = 2 + (Int(record[0]) << 8 | Int(record[1]))
        guard start <= record.count, record[2..<start].allSatisfy({ $0 == 0 }) else { throw .malformedBody }
        return Array(record[start...])
    }

    private func openRecord(
        _ sealed: [UInt8], _ encoding: WebPushEncoding, sender: [UInt8], salt: [UInt8]
    ) throws(WebPushError) -> [UInt8] {
        guard sealed.count > AES128GCM.tagByteCount, let senderKey = try? P256PublicKey(x963: sender) else {
            throw .malformedBody
        }
        do {
            let keys = ContentKeys(
                encoding, agreed: try privateKey.sharedSecret(with: senderKey), receiver: subscription, sender: sender,
                salt: salt)
            return try AES128GCM.open(sealed, key: keys.key, nonce: keys.nonce)
        } catch {
            throw WebPushError(error)
        }
    }
}
