/// One packet of the device channel, either direction.
public enum MCSPacket: Sendable, Equatable {
    case heartbeatPing(Heartbeat)
    case heartbeatAck(Heartbeat)
    case loginRequest(LoginRequest)
    case loginResponse(LoginResponse)
    case close
    case iq(IqStanza)
    case dataMessage(DataMessageStanza)
    case streamError(StreamErrorStanza)
    /// A packet of another kind, whose payload was skipped. It counts as a packet; it is never written.
    case unknown(tag: UInt8)

    /// How many packets of the other side the writer had read, if this packet says so.
    public var lastStreamIDReceived: Int32? {
        switch self {
        case .heartbeatPing(let heartbeat), .heartbeatAck(let heartbeat): heartbeat.lastStreamIDReceived
        case .loginResponse(let response): response.lastStreamIDReceived
        case .iq(let stanza): stanza.lastStreamIDReceived
        case .dataMessage(let stanza): stanza.lastStreamIDReceived
        case .loginRequest, .close, .streamError, .unknown: nil
        }
    }
}
