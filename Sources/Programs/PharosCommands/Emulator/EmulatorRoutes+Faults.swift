import APNsSimulator
import GoogleAPI
import JSON
import PushCore
import PushModel
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
        default:
            throw .invalidField("door", "door must be apns or send.")
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

    func moveClock(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let body = try EmulatorBody(request, "advance_seconds")
        guard let seconds = try body.integer("advance_seconds", in: -Self.longestJumpSeconds...Self.longestJumpSeconds)
        else { throw .invalidField("advance_seconds", "advance_seconds is required.") }
        emulator.clock.advance(seconds: seconds)
        return emulator.clockJSON
    }
}
