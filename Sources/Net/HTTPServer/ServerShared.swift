import HTTPSemantics
import Synchronization
import Transport

/// What all connections of a server share.
final class ServerShared: Sendable {
    let configuration: HTTPServerConfiguration
    let metrics: any HTTPServerMetrics
    let makeHandler: @Sendable (Connection) -> any HTTPHandler
    let requestsInFlight = Atomic(0)

    init(
        configuration: HTTPServerConfiguration, metrics: any HTTPServerMetrics,
        makeHandler: @escaping @Sendable (Connection) -> any HTTPHandler
    ) {
        self.configuration = configuration
        self.metrics = metrics
        self.makeHandler = makeHandler
    }

    /// - Returns: `false` when too many requests are being answered already.
    func enter() -> Bool {
        let count = requestsInFlight.wrappingAdd(1, ordering: .relaxed).newValue
        guard count > configuration.maximumRequestsInFlight else { return true }
        leave()
        return false
    }

    func leave() {
        requestsInFlight.wrappingSubtract(1, ordering: .relaxed)
    }
}
