/// One of Apple's two separate push services. A device token belongs to exactly one.
public enum SimulatedEnvironment: String, Sendable, Hashable, CaseIterable {
    case sandbox, production

    /// The environment that a host name of Apple's stands for; `nil` for any other name.
    init?(host: String) {
        switch host.prefix(while: { $0 != ":" }) {
        case "api.push.apple.com": self = .production
        case "api.sandbox.push.apple.com", "api.development.push.apple.com": self = .sandbox
        default: return nil
        }
    }
}
