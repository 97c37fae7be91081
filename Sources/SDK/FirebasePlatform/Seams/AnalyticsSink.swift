/// The two calls of the analytics module that messaging makes.
public protocol AnalyticsSink: Sendable {
    func logEvent(origin: String, name: String, parameters: [String: PayloadValue])
    func setUserProperty(origin: String, name: String, value: String)
}
