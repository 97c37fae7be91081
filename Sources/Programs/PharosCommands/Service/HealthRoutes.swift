import GoogleAPI
import HTTPSemantics
import Synchronization
import Telemetry

/// `/healthz`: the process answers. `/readyz`: it takes requests. `/metrics`: what it counted.
struct HealthRoutes {
    let metrics: MetricRegistry
    let readiness: Readiness
    /// Whether other machines may read what was counted.
    let hasPublicMetrics: Bool

    var router: Router {
        var router = Router()
        router.get("/healthz") { _ in HTTPResponse(status: 200, contentType: "text/plain", text: "ok\n") }
        router.get("/readyz") { [readiness] _ in
            readiness.isReady
                ? HTTPResponse(status: 200, contentType: "text/plain", text: "ready\n")
                : HTTPResponse(status: 503, contentType: "text/plain", text: "draining\n")
        }
        router.get("/metrics") { [metrics, hasPublicMetrics] request in
            guard hasPublicMetrics || request.isFromThisMachine else {
                return HTTPResponse(
                    errorPage: 403, "Forbidden", "Metrics are for this machine; --public-metrics opens them.")
            }
            return HTTPResponse(status: 200, contentType: MetricRegistry.pageContentType, text: metrics.page())
        }
        return router
    }
}

/// Whether the service takes requests: from its start until it drains.
final class Readiness: Sendable {
    private let flag = Atomic(true)

    var isReady: Bool { flag.load(ordering: .relaxed) }

    func drain() { flag.store(false, ordering: .relaxed) }
}
