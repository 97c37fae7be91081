import Bytes
import GoogleAPI
import HTTPSemantics
import OAuthAPI
import SQLiteStore

/// Further doors that only the emulator has: Google Cloud's metadata server, for app servers that find their credentials
/// by themselves, and a page at `/` that says what is where.
struct EmulatorDoors: Sendable {
    let emulator: Emulator

    var router: Router {
        var router = Router()
        let service = emulator.service
        let identity = MetadataServer.Identity(project: emulator.demo.project, account: emulator.demo.account)
        let tokens = AccessTokens(
            secret: Secret(service.store.serverSecret), directory: service.store, clock: service.clock,
            audiences: OAuthAudiences(serverURLs: []))
        MetadataServer(accessTokens: tokens) { identity }.addRoutes(to: &router)
        router.get("/") { request in
            MetadataServer.probeAnswer(to: request.head)
                ?? HTTPResponse(status: 200, contentType: "text/plain; charset=UTF-8", text: Self.page)
        }
        return router
    }

    private static let page = """
        Pharos emulator

        GET  /emulator/v1/devices      the virtual iPhones
        POST /emulator/v1/devices      starts one
        GET  /emulator/v1/messages     what became of each message
        GET  /emulator/v1/apns         what the APNs simulator got
        GET  /metrics                  Prometheus text
        GET  /healthz, /readyz         whether the service lives and takes requests

        """
}
