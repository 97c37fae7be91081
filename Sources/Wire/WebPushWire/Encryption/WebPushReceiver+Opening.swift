import Crypto

extension WebPushReceiver {
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
        let parameters = try DraftParameters(cryptoKey: content.cryptoKey, encryption: content.encryption)
        guard content.body.count - AES128GCM.tagByteCount <= parameters.recordBytes else { throw .malformedBody }
        let record = try openRecord(content.body, .aesgcm, sender: parameters.sender, salt: parameters.salt)
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
