import DeviceSimulator
import GoogleAPI
import JSON
import PushModel
import Timekeeping

/// `/emulator/v1/devices/{device}:send`: a message of the app to its app server.
extension EmulatorRoutes {
    func sendFromDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        let body = try EmulatorBody(request, "to", "data", "message_id", "ttl")
        let receiver = try body.string("to") ?? "\(emulator.demo.project.number)@gcm.googleapis.com"
        let messageID = try body.string("message_id") ?? "m-\(emulator.clock.now().milliseconds)"
        let seconds = try body.integer("ttl", in: 0...86_400) ?? 86_400
        do {
            try await phone.sendUpstream(
                to: receiver, data: try body.texts("data"), messageID: messageID, timeToLiveSeconds: seconds)
        } catch let error as GoogleError {
            throw error
        } catch {
            throw GoogleError(.failedPrecondition, "The app does not run: \(error).")
        }
        return ["message_id": .string(messageID), "to": .string(receiver)]
    }
}
