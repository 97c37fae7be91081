import MCSWire
import ProtobufWire
import Testing

@Suite struct `MCS frame reader` {
    private static let limit = 65_536

    /// All elements of a stream that begins with a version byte.
    private func read(_ pieces: [[UInt8]], limit: Int = limit) throws -> [MCSFrameReader.Element] {
        var reader = MCSFrameReader(maximumPayloadBytes: limit)
        var elements: [MCSFrameReader.Element] = []
        for piece in pieces {
            reader.receive(piece)
            while let element = try reader.next() { elements.append(element) }
        }
        return elements
    }

    @Test(arguments: Vectors.all) func `reads the packets of every vector`(vector: Vector) throws {
        #expect(try read([[41] + vector.frame]) == [.version(41), .packet(vector.packet)])
    }

    @Test(arguments: Vectors.all) func `writes the bytes of every vector`(vector: Vector) {
        #expect(vector.packet.frame == vector.frame)
    }

    @Test(arguments: Vectors.all) func `waits for the last byte of a packet`(vector: Vector) throws {
        for count in 0..<vector.frame.count {
            var reader = MCSFrameReader(maximumPayloadBytes: Self.limit)
            reader.receive([41] + vector.frame.prefix(count))
            #expect(try reader.next() == .version(41))
            #expect(try reader.next() == nil)
            #expect(reader.unreadBytes == count)
            reader.receive(vector.frame.dropFirst(count))
            #expect(try reader.next() == .packet(vector.packet))
            #expect(try reader.next() == nil)
            #expect(reader.unreadBytes == 0)
        }
    }

    @Test func `reads a stream that is cut at any place`() throws {
        let stream = [41] + Vectors.all.flatMap(\.frame)
        let whole = [.version(41)] + Vectors.all.map { MCSFrameReader.Element.packet($0.packet) }
        #expect(try read(stream.map { [$0] }) == whole)
        for place in stream.indices {
            #expect(try read([Array(stream[..<place]), Array(stream[place...])]) == whole)
        }
    }

    @Test func `reads a length of two bytes`() throws {
        var stanza = DataMessageStanza()
        stanza.rawData = [UInt8](repeating: 7, count: 274)
        let frame = MCSPacket.dataMessage(stanza).frame
        #expect(Array(frame.prefix(3)) == [0x08, 0x9A, 0x02])
        #expect(try read([[41] + frame]).last == .packet(.dataMessage(stanza)))
    }

    @Test func `takes a length that is written longer than needed`() throws {
        #expect(try read([[41, 4, 0x80, 0x80, 0x80, 0x80, 0]]).last == .packet(.close))
    }

    @Test(arguments: [UInt8](5...6) + [9] + [UInt8](11...15) + [99, 255])
    func `skips and names packets of other kinds`(tag: UInt8) throws {
        let elements = try read([[41, tag, 0], [tag, 3, 1, 2, 3], [0, 0]])
        let unknown = MCSFrameReader.Element.packet(.unknown(tag: tag))
        #expect(elements == [.version(41), unknown, unknown, .packet(.heartbeatPing(Heartbeat()))])
        #expect(MCSPacket.unknown(tag: tag).frame.isEmpty)
    }

    static let bad: [(name: String, bytes: [UInt8], error: MCSError)] = [
        ("length of five bytes that goes on", [0, 0x80, 0x80, 0x80, 0x80, 0x80], .badLength),
        ("length of six bytes", [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .badLength),
        ("one byte more than the limit", [8, 0x81, 0x80, 0x04], .payloadTooLarge(bytes: 65_537)),
        ("the longest length", [8, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .payloadTooLarge(bytes: 34_359_738_367)),
        ("unknown kind above the limit", [99, 0x81, 0x80, 0x04], .payloadTooLarge(bytes: 65_537)),
        ("payload that ends within a field", [0, 1, 0x10], .malformed(tag: 0, .truncated)),
        ("field 0", [0, 2, 0, 0], .malformed(tag: 0, .badFieldNumber)),
        ("text that is not UTF-8", [2, 3, 0x0A, 1, 0xFF], .malformed(tag: 2, .invalidUTF8)),
        ("number as text", [2, 2, 0x08, 1], .malformed(tag: 2, .unexpectedWireType(.varint))),
        ("text as number", [1, 2, 0x12, 0], .malformed(tag: 1, .unexpectedWireType(.lengthDelimited))),
        ("length beyond the payload", [3, 3, 0x0A, 9, 0x41], .malformed(tag: 3, .truncated)),
        ("extension that ends early", [7, 4, 0x3A, 2, 8, 0x8C], .malformed(tag: 7, .truncated)),
        ("bad list of ids", [7, 8, 0x3A, 6, 8, 12, 0x12, 2, 10, 5], .malformed(tag: 7, .truncated)),
        ("item of a message as number", [8, 2, 0x38, 1], .malformed(tag: 8, .unexpectedWireType(.varint))),
        ("group that does not end", [8, 1, 0x0B], .malformed(tag: 8, .truncated)),
        ("stream error with a bad text", [10, 3, 0x0A, 1, 0xC0], .malformed(tag: 10, .invalidUTF8)),
    ]

    @Test(arguments: bad.indices) func `refuses a bad packet`(row: Int) {
        let row = Self.bad[row]
        #expect(throws: row.error, "\(row.name)") { try read([[41] + row.bytes]) }
        #expect(throws: row.error, "\(row.name)") { try read([[41]] + row.bytes.map { [$0] }) }
    }

    @Test func `refuses a long payload before any of it has arrived`() {
        #expect(throws: MCSError.payloadTooLarge(bytes: 101)) { try read([[41, 8, 101]], limit: 100) }
        #expect(throws: Never.self) { try read([[41, 8, 100]], limit: 100) }
    }

    @Test func `takes a version for a tag unless it is told otherwise`() throws {
        let stream: [UInt8] = [41, 41, 0, 0, 41, 41, 0, 0]
        #expect(try read([stream]).dropFirst().first == .packet(.unknown(tag: 41)))
        for piece in [1, 2, 3, stream.count] {
            var reader = MCSFrameReader(maximumPayloadBytes: 100)
            reader.skipsRepeatedVersion = true
            var elements: [MCSFrameReader.Element] = []
            for start in stride(from: 0, to: stream.count, by: piece) {
                reader.receive(stream[start..<min(start + piece, stream.count)])
                while let element = try reader.next() { elements.append(element) }
            }
            let ping = MCSFrameReader.Element.packet(.heartbeatPing(Heartbeat()))
            #expect(elements == [.version(41), ping, ping])
        }
    }

    @Test func `leaves absent and unknown fields to the caller`() throws {
        #expect(try read([[41, 2, 0]]).last == .packet(.loginRequest(LoginRequest())))
        #expect(try read([[41, 8, 0]]).last == .packet(.dataMessage(DataMessageStanza())))
        var stanza = IqStanza()
        stanza.kind = nil
        #expect(try read([[41, 7, 0]]).last == .packet(.iq(stanza)))
        #expect(try read([[41, 7, 2, 0x10, 9]]).last == .packet(.iq(stanza)))
        #expect(try read([[41, 0, 3, 0xA0, 0x06, 1]]).last == .packet(.heartbeatPing(Heartbeat())))
    }

    @Test func `says which packets confirm others`() {
        #expect(MCSPacket.heartbeatPing(Heartbeat(lastStreamIDReceived: 1)).lastStreamIDReceived == 1)
        #expect(MCSPacket.heartbeatAck(Heartbeat(lastStreamIDReceived: 2)).lastStreamIDReceived == 2)
        #expect(MCSPacket.loginResponse(Vectors.accepted()).lastStreamIDReceived == 1)
        #expect(MCSPacket.iq(.streamAck(lastStreamIDReceived: 4)).lastStreamIDReceived == 4)
        #expect(MCSPacket.dataMessage(Vectors.upstream).lastStreamIDReceived == 2)
        #expect(MCSPacket.loginRequest(LoginRequest()).lastStreamIDReceived == nil)
        #expect(MCSPacket.close.lastStreamIDReceived == nil)
    }

    @Test(
        arguments: [
            (UInt8(37), false), (38, true), (40, true), (41, true), (42, true), (255, true), (0, false),
        ]) func `serves versions from 38 on`(version: UInt8, isServed: Bool)
    {
        #expect(MCSVersion.isServed(version) == isServed)
    }

    @Test(arguments: [(UInt8(38), true), (39, false), (40, false), (41, true), (42, true)])
    func `goes on as a client with its own version, a later one or 38`(version: UInt8, isAccepted: Bool) {
        #expect(MCSVersion.isAccepted(version) == isAccepted)
    }
}
