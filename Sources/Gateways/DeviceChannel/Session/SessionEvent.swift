import MCSWire
import PushModel

/// What a session asks its owner to do.
enum SessionEvent: Sendable, Equatable {
    /// Look for the device, then `admit` or `refuse`; until then no packet is read.
    case login(DeviceLogin)
    /// The device has these messages, which were written on this connection. Commit that, then report
    /// `finished(packet)`.
    case acknowledged([DeliveryID], packet: Int32)
    /// The device names messages of an earlier connection. Commit that, then report `finished(packet)`.
    case acknowledgedByName([String], packet: Int32)
    /// Commit a message from the device, then report `finished(packet)`.
    case upstream(DataMessageStanza, packet: Int32)
    /// Send the output, then close.
    case end(SessionEnd)
}

/// Why a session ended.
enum SessionEnd: Error, Sendable, Equatable {
    /// The client speaks a version from before 38.
    case versionNotServed(UInt8)
    case loginTimedOut
    case notALogin
    case malformedLogin(DeviceLogin.Fault)
    case refused
    case secondLogin
    case badStream(MCSError)
    case closedByClient
    /// The client did not answer a ping.
    case silent
    /// The device has logged in again.
    case superseded
    /// The server is ending.
    case draining
    /// What the client sent or acknowledged could not be committed: it will come again.
    case storeFailed
}
