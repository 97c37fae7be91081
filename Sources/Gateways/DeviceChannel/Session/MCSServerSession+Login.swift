import EventLoop
import MCSWire
import Timekeeping

extension MCSServerSession {
    /// What a refused client is told; clients look only at whether there is an error.
    private static let refusal = ErrorInfo(code: 401, message: "Authentication failed")

    mutating func authenticate(_ request: LoginRequest, into output: inout [UInt8]) -> SessionEvent {
        do throws(DeviceLogin.Fault) {
            let login = try DeviceLogin(request)
            phase = .authenticating
            return .login(login)
        } catch {
            writeRefusal(of: request.id, into: &output)
            return finish(.malformedLogin(error))
        }
    }

    /// The device exists, and what it said to have received is committed.
    ///
    /// - Parameter upstreamIDs: Messages of the device that are committed already, the oldest first. Old clients
    ///   send what they have left when this list comes, so it is sent even when it is empty.
    mutating func admit(
        _ login: DeviceLogin, holding upstreamIDs: [String], wallClock: Timestamp, at now: MonotonicTime,
        into output: inout [UInt8]
    ) {
        guard phase == .authenticating else { return }
        phase = .streaming
        let interval = min(
            max(login.heartbeatInterval ?? .zero, limits.heartbeatInterval ?? .zero), limits.longestInterval)
        silence = Silence(limit: max(limits.silence, interval * 2), now: now)
        write(.loginResponse(answer(to: login, wallClock: wallClock)), into: &output)
        write(.iq(.selectiveAck(upstreamIDs, lastStreamIDReceived: stamp())), into: &output)
    }

    /// The device does not exist, or its secret is another.
    mutating func refuse(_ login: DeviceLogin, into output: inout [UInt8]) -> SessionEvent? {
        guard phase == .authenticating else { return nil }
        writeRefusal(of: login.software, into: &output)
        return finish(.refused)
    }

    private mutating func answer(to login: DeviceLogin, wallClock: Timestamp) -> LoginResponse {
        var response = LoginResponse(id: login.software)
        response.lastStreamIDReceived = stamp()
        response.serverTimestamp = wallClock.milliseconds
        if let interval = limits.heartbeatInterval {
            let milliseconds = Int32(clamping: interval.wholeNanoseconds / 1_000_000)
            response.heartbeatConfig = HeartbeatConfig(intervalMilliseconds: milliseconds)
        }
        return response
    }

    private mutating func writeRefusal(of software: String, into output: inout [UInt8]) {
        var response = LoginResponse(id: software)
        response.error = Self.refusal
        write(.loginResponse(response), into: &output)
    }
}
