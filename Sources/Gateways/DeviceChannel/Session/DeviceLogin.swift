import EventLoop
import MCSWire
import PushModel

/// A login that has the right form; whether the device exists is asked elsewhere.
struct DeviceLogin: Sendable, Equatable {
    enum Fault: Error, Equatable {
        case missingField, wrongDomain, wrongService, badDeviceID, badToken
    }

    /// The client's software, repeated in the answer.
    var software: String
    var credentials: DeviceCredentials
    /// Messages that arrived on an earlier connection.
    var receivedPersistentIDs: [String]
    /// The client's name for itself is that of another device. Odd, but no reason to refuse.
    var hasForeignName: Bool
    /// The interval of heartbeats that the client asks for or had.
    var heartbeatInterval: Duration?

    init(_ request: LoginRequest) throws(Fault) {
        let required = [request.id, request.domain, request.user, request.resource, request.authToken]
        guard required.allSatisfy({ !$0.isEmpty }) else { throw .missingField }
        guard request.domain == LoginRequest.usualDomain else { throw .wrongDomain }
        guard request.authService ?? LoginRequest.androidIDService == LoginRequest.androidIDService else {
            throw .wrongService
        }
        guard let user = Self.number(request.user), user != 0, user == Self.number(request.resource) else {
            throw .badDeviceID
        }
        guard let token = Self.number(request.authToken) else { throw .badToken }
        software = request.id
        credentials = DeviceCredentials(androidID: user, securityToken: token)
        receivedPersistentIDs = request.receivedPersistentIDs
        hasForeignName = !request.deviceID.isEmpty && request.deviceID != "android-" + String(user, radix: 16)
        heartbeatInterval = Self.interval(request)
    }

    /// An unsigned decimal; a negative one are the same 64 bits, as some clients take them for signed.
    private static func number(_ text: String) -> UInt64? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard text.utf8.dropFirst(isNegative ? 1 : 0).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? Int64(text).map(UInt64.init(bitPattern:)) : UInt64(text)
    }

    private static func interval(_ request: LoginRequest) -> Duration? {
        let asked = request.settings.first { $0.name == "hbping" }.flatMap { Int32($0.value) }
        guard let milliseconds = asked ?? request.heartbeatStat?.intervalMilliseconds, milliseconds > 0 else {
            return nil
        }
        return .milliseconds(milliseconds)
    }
}
