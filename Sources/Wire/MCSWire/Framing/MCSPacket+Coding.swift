internal import ProtobufWire

/// A message that one tag stands for. Written in ascending order of fields.
protocol MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError)
    func write(into writer: inout ProtobufWriter)
}

extension MCSPacket {
    /// Appends the whole frame: tag, length, payload. `unknown` appends nothing.
    public func append(to output: inout [UInt8]) {
        switch self {
        case .heartbeatPing(let heartbeat): Self.append(heartbeat, as: .heartbeatPing, to: &output)
        case .heartbeatAck(let heartbeat): Self.append(heartbeat, as: .heartbeatAck, to: &output)
        case .loginRequest(let request): Self.append(request, as: .loginRequest, to: &output)
        case .loginResponse(let response): Self.append(response, as: .loginResponse, to: &output)
        case .close: output += [MCSTag.close.rawValue, 0]
        case .iq(let stanza): Self.append(stanza, as: .iq, to: &output)
        case .dataMessage(let stanza): Self.append(stanza, as: .dataMessage, to: &output)
        case .streamError(let stanza): Self.append(stanza, as: .streamError, to: &output)
        case .unknown: break
        }
    }

    /// The whole frame: tag, length, payload.
    public var frame: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    init(tag: UInt8, payload: ArraySlice<UInt8>) throws(MCSError) {
        do {
            self = try Self.read(tag: tag, payload: payload)
        } catch {
            throw .malformed(tag: tag, error)
        }
    }

    private static func read(tag: UInt8, payload: ArraySlice<UInt8>) throws(ProtobufError) -> MCSPacket {
        guard let known = MCSTag(rawValue: tag) else { return .unknown(tag: tag) }
        var reader = ProtobufReader(payload)
        return switch known {
        case .heartbeatPing: .heartbeatPing(try Heartbeat(reading: &reader))
        case .heartbeatAck: .heartbeatAck(try Heartbeat(reading: &reader))
        case .loginRequest: .loginRequest(try LoginRequest(reading: &reader))
        case .loginResponse: .loginResponse(try LoginResponse(reading: &reader))
        case .close: .close
        case .iq: .iq(try IqStanza(reading: &reader))
        case .dataMessage: .dataMessage(try DataMessageStanza(reading: &reader))
        case .streamError: .streamError(try StreamErrorStanza(reading: &reader))
        }
    }

    private static func append(_ message: some MCSMessage, as tag: MCSTag, to output: inout [UInt8]) {
        var writer = ProtobufWriter()
        message.write(into: &writer)
        output.append(tag.rawValue)
        Varint.append(UInt64(writer.bytes.count), to: &output)
        output += writer.bytes
    }
}
