extension TLSRecordLayer {
    /// Records without content that a peer may send in a row: what is more costs time and brings nothing.
    private static let maximumEmptyRecords: UInt8 = 32

    /// What came of received bytes.
    public struct Received: Sendable {
        /// Bytes that were used up; those after them are the beginning of a record.
        public var consumed = 0
        /// Bytes of content.
        public var produced = 0
        /// To be sent to the peer: answers to new keys.
        public var answers: [UInt8] = []
        public var end: End?
    }

    /// After which nothing is received any more.
    public enum End: Sendable, Equatable {
        /// The peer has sent all it wanted to.
        case closed
        /// The peer gave up, with the number of an alert.
        case peerAlert(UInt8)
        /// The peer broke the protocol: it is to get the alert.
        case violation(TLSAlert)
    }

    /// Opens the whole records among the bytes.
    ///
    /// - Parameter plain: Gets the content; has room for as many bytes as come in.
    public func receive(
        _ bytes: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, with ciphers: RecordCiphers
    ) -> Received {
        var received = Received()
        do {
            while received.end == nil,
                let record = try nextRecord(UnsafeRawBufferPointer(rebasing: bytes[received.consumed...]))
            {
                received.consumed += record.count
                let room = UnsafeMutableRawBufferPointer(rebasing: plain[received.produced...])
                try take(record, into: room, with: ciphers, &received)
            }
        } catch {
            received.end = .violation(error)
        }
        return received
    }

    /// - Returns: The record at the start of the bytes; `nil` when it is not there yet.
    private func nextRecord(_ bytes: UnsafeRawBufferPointer) throws(TLSAlert) -> UnsafeRawBufferPointer? {
        guard bytes.count >= Self.headerBytes else { return nil }
        // Whatever comes after the handshake is sealed, and says outside that it is application data.
        guard bytes[0] == ContentType.applicationData.rawValue else { throw .unexpectedMessage }
        let count = Int(bytes[3]) << 8 | Int(bytes[4])
        guard count <= RecordCiphers.maximumRecordBytes - Self.headerBytes else { throw .recordOverflow }
        guard count > TLSCipherSuite.tagBytes else { throw .decodeError }
        guard bytes.count >= Self.headerBytes + count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[..<(Self.headerBytes + count)])
    }

    private func take(
        _ record: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, with ciphers: RecordCiphers,
        _ received: inout Received
    ) throws(TLSAlert) {
        let content = try open(record, into: plain, with: ciphers)
        switch content.type {
        case .applicationData:
            received.produced += content.bytes.count
            if content.bytes.isEmpty { try countEmptyRecord() } else { emptyRecords = 0 }
        case .handshake:
            try countEmptyRecord()
            let wantsOurs = try KeyUpdate.requestsAnother(content.bytes)
            reading.update()
            if wantsOurs { received.answers += try renewWritingKey(with: ciphers) }
        case .alert:
            try countEmptyRecord()
            guard content.bytes.count == 2 else { throw .decodeError }
            received.end = end(alert: content.bytes[1])
        }
    }

    private func countEmptyRecord() throws(TLSAlert) {
        emptyRecords += 1
        if emptyRecords > Self.maximumEmptyRecords { throw .unexpectedMessage }
    }

    /// Every alert but two ends the connection at once, whatever level it says (RFC 8446 §6).
    private func end(alert: UInt8) -> End? {
        switch TLSAlert(rawValue: alert) {
        case .closeNotify: .closed
        case .userCanceled: nil
        default: .peerAlert(alert)
        }
    }

    private func open(
        _ record: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, with ciphers: RecordCiphers
    ) throws(TLSAlert) -> (type: ContentType, bytes: UnsafeRawBufferPointer) {
        let sealed = UnsafeRawBufferPointer(rebasing: record[Self.headerBytes...])
        guard plain.count >= sealed.count - TLSCipherSuite.tagBytes,
            let header = record.bindMemory(to: UInt8.self).baseAddress,
            let output = plain.bindMemory(to: UInt8.self).baseAddress
        else { throw .internalError }
        guard ciphers.open(sealed, header: header, keys: &reading, into: output) else { throw .badRecordMAC }
        let padded = UnsafeRawBufferPointer(rebasing: plain[..<(sealed.count - TLSCipherSuite.tagBytes)])
        // The type is the last byte that is not padding.
        guard let place = padded.lastIndex(where: { $0 != 0 }), let type = ContentType(rawValue: padded[place]) else {
            throw .unexpectedMessage
        }
        guard place <= Self.maximumContentBytes else { throw .recordOverflow }
        return (type, UnsafeRawBufferPointer(rebasing: padded[..<place]))
    }
}
