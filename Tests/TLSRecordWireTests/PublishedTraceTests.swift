import Testing

@testable import TLSRecordWire

/// The application data of the handshake that RFC 8448 §3 prints.
@Suite struct `The published trace of a TLS connection` {
    static let serverSecret = bytes("a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643")
    static let clientSecret = bytes("9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5")
    static let content = (0..<50).map { UInt8($0) }
    static let clientRecord = bytes(
        """
        1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20441e2b62974e1f5a\
        6292a2977014bd1e3deae63aeebb21694915e4
        """)
    /// The second record of the server: the first is a session ticket.
    static let serverRecord = bytes(
        """
        17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb501a59a8fcc49c4bf2\
        e5f0a21c0047c2abf332540dd032e167c2955d
        """)
    static let clientAlert = bytes("1703030013c9872760655666b74d7ff1153efd6db6d0b0e3")

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    private let ciphers = RecordCiphers()
    private let server = Pair.layer(.aes128GCM, reading: clientSecret, writing: serverSecret)

    @Test func `has keys as derived from its secrets`() {
        let key = Array(UnsafeBufferPointer(start: server.writing.key, count: 16))
        #expect(key == Self.bytes("9f02283b6c9c07efc26bb9f2ac92e356"))
    }

    @Test func `opens, and ends with the client's goodbye`() {
        let outcome = server.receive(Self.clientRecord + Self.clientAlert, with: ciphers)
        #expect(outcome.content == Self.content)
        #expect(outcome.end == .closed)
        #expect(outcome.received.consumed == Self.clientRecord.count + Self.clientAlert.count)
    }

    @Test func `is sealed byte for byte`() throws {
        _ = try server.record([1, 2, 3], with: ciphers)
        #expect(try server.record(Self.content, with: ciphers) == Self.serverRecord)
        let client = Pair.layer(.aes128GCM, reading: Self.serverSecret, writing: Self.clientSecret)
        #expect(try client.record(Self.content, with: ciphers) == Self.clientRecord)
        #expect(client.alert(.closeNotify, with: ciphers) == Self.clientAlert)
    }
}
