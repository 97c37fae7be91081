import APNsSimulator
import DeviceChannel
import DeviceSimulator
import GoogleAPI
import JSON
import PushCore
import PushModel
import SQLiteStore
import SendAPI
import Timekeeping

/// Faults, the clock, and the way back to the start.
extension EmulatorRoutes {
    /// A hundred years.
    private static let longestJumpSeconds: Int64 = 100 * 366 * 86_400

    func addFault(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        var body = try EmulatorBody(
            request, "door", "target", "status", "reason", "count", "delay_ms", "timestamp_ms")
        let target = try body.string("target")
        switch try body.string("door") {
        case "apns":
            if let target { body.set("target", .string(emulator.rack.apnsToken(named: target) ?? target)) }
            do {
                _ = try emulator.simulator.addFaults(emulator: body.members)
            } catch {
                throw .invalidField("faults", "\(error)")
            }
        case "send":
            emulator.sendFaults.add(try sendFault(body))
        case "mcs": try addDeviceFault(body)
        default:
            throw .invalidField("door", "door must be apns, send or mcs.")
        }
        return [:]
    }

    func resetFaults(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        emulator.resetFaults()
        return [:]
    }

    func showClock(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue { emulator.clockJSON }

    func reset(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        await emulator.reset()
        return [:]
    }

    private func sendFault(_ body: EmulatorBody) throws(GoogleError) -> SendFaultScript.Order {
        let delay = try body.integer("delay_ms", in: 0...Self.longestWaitMilliseconds) ?? 0
        let count = try body.integer("count", in: 1...1_000_000) ?? 1
        let status = try body.integer("status", in: 400...599)
        let reason = try body.string("reason") ?? ""
        let error = SendError.scripted(status: Int(status ?? 0), errorCode: reason)
        guard error != nil || (delay > 0 && status == nil && reason.isEmpty) else {
            throw .invalidField(
                "status", "status must be 400, 401, 403, 404, 429, 500 or 503, or reason an FCM error code.")
        }
        return SendFaultScript.Order(
            target: try body.string("target"), fault: .init(delayMilliseconds: delay, error: error),
            remaining: Int(count))
    }

    /// The device channel: logins that are refused, cut off or slow, or a session that ends now.
    private func addDeviceFault(_ body: EmulatorBody) throws(GoogleError) {
        let device = try body.string("target").map { (name) throws(GoogleError) in try deviceID(named: name) }
        let delay = try body.integer("delay_ms", in: 0...Self.longestWaitMilliseconds) ?? 0
        let count = try body.integer("count", in: 1...1_000_000) ?? 1
        let reason = try body.string("reason") ?? ""
        let fault: DeviceServices.LoginFault?
        switch (try body.integer("status", in: 400...599), reason) {
        case (nil, "disconnect"): return disconnect(device)
        case (401?, ""), (nil, "refused"): fault = .refused
        case (503?, ""), (nil, "closed"): fault = .closed
        case (nil, "") where delay > 0: fault = nil
        default:
            throw .invalidField(
                "status", "status must be 401 (refused) or 503 (closed), or reason refused, closed or disconnect.")
        }
        emulator.deviceFaults.add(
            .init(device: device, delayMilliseconds: delay, fault: fault, remaining: Int(count)))
    }

    private func disconnect(_ device: UInt64?) {
        let live = emulator.service.live
        for session in device.map({ live.session(of: $0).map { [$0] } ?? [] }) ?? live.all { session.end() }
    }

    /// - Parameter text: A check-in id, or what names a registration of the device: its token, or the phone.
    private func deviceID(named text: String) throws(GoogleError) -> UInt64 {
        if let id = UInt64(text), id != 0 { return id }
        let token = emulator.rack.phone(text)?.registered ?? text
        let content = emulator.service.tokens.decode(token)
        let found = content.flatMap { try? emulator.service.store.registration($0.registration) }
        guard let id = found?.androidID, id != 0 else {
            throw .invalidField("target", "target must be a registration token, a virtual iPhone or an android id.")
        }
        return id
    }

    func moveClock(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let body = try EmulatorBody(request, "advance_seconds")
        guard let seconds = try body.integer("advance_seconds", in: -Self.longestJumpSeconds...Self.longestJumpSeconds)
        else { throw .invalidField("advance_seconds", "advance_seconds is required.") }
        emulator.clock.advance(seconds: seconds)
        return emulator.clockJSON
    }
}
