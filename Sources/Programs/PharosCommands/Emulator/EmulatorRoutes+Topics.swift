import DeviceSimulator
import GoogleAPI
import JSON

/// Topic calls of the app on a virtual iPhone.
extension EmulatorRoutes {
    private static let usualWaitMilliseconds: Int64 = 10_000

    /// Answers once the SDK has: the topic is subscribed to or left, or the SDK keeps the call because it has no network.
    func changeTopic(_ request: RoutedRequest, subscribes: Bool) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        let body = try EmulatorBody(request, "topic", "wait_ms")
        guard let topic = try body.string("topic") else { throw .invalidField("topic", "topic is required.") }
        let wait = try body.integer("wait_ms", in: 0...Self.longestWaitMilliseconds) ?? Self.usualWaitMilliseconds
        let outcome: TopicOutcome
        do {
            outcome = try await phone.changeTopic(
                TopicChange(topic: topic, subscribes: subscribes), withinMilliseconds: wait)
        } catch {
            throw GoogleError(.failedPrecondition, "The app does not run: POST …:launch starts it.")
        }
        let state: String
        switch outcome {
        case .done: state = subscribes ? "subscribed" : "unsubscribed"
        case .waiting: state = "pending"
        case .failed(let failure) where failure.isWrongName: throw .invalidField("topic", failure.description)
        case .failed(let failure): throw GoogleError(.failedPrecondition, failure.description)
        }
        return ["device": .string(phone.name), "topic": .string(topic), "state": .string(state)]
    }
}
