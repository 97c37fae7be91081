import MCSWire
import PropertyTesting
import Testing

@Suite struct `MCS packets of every shape` {
    @Test func `come back as they were written`() throws {
        var random = SeededGenerator(seed: 41)
        for _ in 0..<500 {
            let packets = (0..<Int.random(in: 1...8, using: &random)).map { _ in random.packet() }
            var reader = MCSFrameReader(maximumPayloadBytes: 65_536)
            var read: [MCSFrameReader.Element] = []
            for piece in random.pieces(of: [41] + packets.flatMap(\.frame), longest: 40) {
                reader.receive(piece)
                while let element = try reader.next() { read.append(element) }
            }
            #expect(read == [.version(41)] + packets.map { .packet($0) })
        }
    }

    @Test func `make a template's frames equal to a stanza's`() {
        var random = SeededGenerator(seed: 5_228)
        for _ in 0..<500 {
            let stanza = random.dataMessage()
            var output: [UInt8] = [1, 2]
            DataMessageTemplate(stanza).append(
                category: stanza.category, persistentID: stanza.persistentID,
                lastStreamIDReceived: stanza.lastStreamIDReceived, queued: stanza.queued, to: &output)
            #expect(output == [1, 2] + MCSPacket.dataMessage(stanza).frame)
        }
    }

    @Test func `survive faults as packets or as an error`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let stream: [UInt8] = [41] + (0..<3).flatMap { _ -> [UInt8] in random.packet().frame }
            var reader = MCSFrameReader(maximumPayloadBytes: 4_096)
            for piece in random.pieces(of: random.mutate(stream, alphabet: [0, 8, 0x80, 0xFF]), longest: 64) {
                reader.receive(piece)
                guard drain(&reader) else { break }
            }
        }
    }

    /// - Returns: `false` after an error. Whatever was read can be written and read again.
    private func drain(_ reader: inout MCSFrameReader) -> Bool {
        do {
            while let element = try reader.next() {
                guard case .packet(let packet) = element else { continue }
                if case .unknown = packet { continue }
                var again = MCSFrameReader(maximumPayloadBytes: 1 << 20)
                again.receive([41] + packet.frame)
                _ = try again.next()
                #expect(try again.next() == .packet(packet))
            }
            return true
        } catch {
            return false
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &self) ? make(&self) : nil
    }

    fileprivate mutating func text() -> String {
        let alphabet: [Character] = ["a", "b", "0", "%", ":", "/", "é", "字", "😀", "\0"]
        return String(
            (0..<Int.random(in: 0...20, using: &self)).map { _ in alphabet.randomElement(using: &self) ?? "x" })
    }

    fileprivate mutating func number<Value: FixedWidthInteger>() -> Value {
        Value(truncatingIfNeeded: next() >> UInt64.random(in: 0...63, using: &self))
    }

    fileprivate mutating func bytes() -> [UInt8] {
        bytes(Int.random(in: 0...300, using: &self))
    }

    fileprivate mutating func packet() -> MCSPacket {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: .heartbeatPing(heartbeat())
        case 1: .heartbeatAck(heartbeat())
        case 2: .loginRequest(loginRequest())
        case 3: .loginResponse(loginResponse())
        case 4: .close
        case 5: .iq(iq())
        case 6: .dataMessage(dataMessage())
        default: .streamError(StreamErrorStanza(type: text(), text: text()))
        }
    }

    private mutating func heartbeat() -> Heartbeat {
        Heartbeat(
            lastStreamIDReceived: maybe { $0.number() }, status: maybe { $0.number() },
            intervalMilliseconds: maybe { $0.number() })
    }

    private mutating func settings() -> [Setting] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in Setting(name: text(), value: text()) }
    }

    private mutating func loginRequest() -> LoginRequest {
        var request = LoginRequest()
        request.id = text()
        request.domain = text()
        request.user = text()
        request.resource = text()
        request.authToken = text()
        request.deviceID = text()
        request.lastRMQID = maybe { $0.number() }
        request.settings = settings()
        request.receivedPersistentIDs = (0..<Int.random(in: 0...5, using: &self)).map { _ in text() }
        request.adaptiveHeartbeat = maybe { .random(using: &$0) }
        request.heartbeatStat = maybe {
            HeartbeatStat(ip: $0.text(), timeout: .random(using: &$0), intervalMilliseconds: $0.number())
        }
        request.useRMQ2 = maybe { .random(using: &$0) }
        request.accountID = maybe { $0.number() }
        request.authService = maybe { $0.number() }
        request.networkType = maybe { $0.number() }
        request.status = maybe { $0.number() }
        return request
    }

    private mutating func loginResponse() -> LoginResponse {
        var response = LoginResponse(id: text())
        response.jid = text()
        response.error = maybe { ErrorInfo(code: $0.number(), message: $0.text(), type: $0.text()) }
        response.settings = settings()
        response.lastStreamIDReceived = maybe { $0.number() }
        response.heartbeatConfig = maybe {
            HeartbeatConfig(uploadStat: true, ip: $0.text(), intervalMilliseconds: $0.number())
        }
        response.serverTimestamp = maybe { $0.number() }
        return response
    }

    private mutating func iq() -> IqStanza {
        var stanza = IqStanza()
        stanza.kind = maybe { _ in .result }
        stanza.id = text()
        stanza.from = text()
        stanza.to = text()
        stanza.error = maybe { ErrorInfo(code: $0.number()) }
        stanza.content = maybe { $0.content() }
        stanza.persistentID = text()
        stanza.lastStreamIDReceived = maybe { $0.number() }
        stanza.accountID = maybe { $0.number() }
        stanza.status = maybe { $0.number() }
        return stanza
    }

    private mutating func content() -> IqExtension {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .streamAck
        case 1: .selectiveAck((0..<Int.random(in: 0...4, using: &self)).map { _ in text() })
        default: .other(id: Int32.random(in: 14...99, using: &self), data: bytes())
        }
    }

    fileprivate mutating func dataMessage() -> DataMessageStanza {
        var stanza = DataMessageStanza()
        stanza.id = text()
        stanza.from = text()
        stanza.to = text()
        stanza.category = text()
        stanza.token = text()
        stanza.appData = (0..<Int.random(in: 0...4, using: &self)).map { _ in .init(key: text(), value: text()) }
        stanza.fromTrustedServer = maybe { .random(using: &$0) }
        stanza.persistentID = text()
        stanza.lastStreamIDReceived = maybe { $0.number() }
        stanza.registrationID = text()
        stanza.deviceUserID = maybe { $0.number() }
        stanza.timeToLive = maybe { $0.number() }
        stanza.sent = maybe { $0.number() }
        stanza.queued = maybe { $0.number() }
        stanza.status = maybe { $0.number() }
        stanza.rawData = maybe { $0.bytes() }
        stanza.immediateAck = maybe { .random(using: &$0) }
        stanza.priority = maybe { $0.number() }
        return stanza
    }
}
