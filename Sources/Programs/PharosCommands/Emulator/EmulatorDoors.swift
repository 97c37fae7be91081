import Bytes
import GoogleAPI
import HTTPSemantics
import OAuthAPI
import SQLiteStore

/// A further door that only the emulator has: Google Cloud's metadata server, for app servers that find their credentials
/// by themselves.
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
        return router
    }
}
