import DeviceSimulator
import GoogleAPI
import JSON

/// `/emulator/v1/devices/{device}:register` and `:unregister`: what the app asks of the SDK.
extension EmulatorRoutes {
    func changeRegistration(_ request: RoutedRequest, registers: Bool) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        let sender = try EmulatorBody(request, "sender_id").string("sender_id")
        let outcome: RegistrationOutcome
        do {
            outcome = try await registers ? phone.register(sender: sender) : phone.unregister(sender: sender)
        } catch {
            throw GoogleError(.failedPrecondition, "The app does not run.")
        }
        switch outcome {
        case .done(let token): return ["token": token.map { .string($0) } ?? .null]
        case .failed(let reason): throw GoogleError(.failedPrecondition, "The SDK answered: \(reason)")
        }
    }
}
