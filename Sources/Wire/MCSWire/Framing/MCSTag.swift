/// What a packet of the device channel is: its first byte.
///
/// Source: Chromium `mcs_util.h`; only these are used by today's peers.
public enum MCSTag: UInt8, Sendable, CaseIterable {
    case heartbeatPing = 0
    case heartbeatAck = 1
    case loginRequest = 2
    case loginResponse = 3
    case close = 4
    case iq = 7
    case dataMessage = 8
    case streamError = 10
}
