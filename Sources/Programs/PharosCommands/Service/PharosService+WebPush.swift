import GoogleAPI
import PushCore
import WebPushAPI

extension PharosService {
    /// The push service of our own browsers, and registrations by subscription.
    func webPushRouter(addresses: Addresses, senders: SenderAuthentication) -> Router {
        WebPushRoutes.router(
            endpoints: BrowserEndpoints(registrations: store, tokens: tokens),
            subscriber: BrowserSubscriber(store: store, clock: clock, sealing: sealing, webPushKeys: webPushKeys),
            pipeline: pipeline, directory: store, senders: senders,
            origins: PushServiceOrigins(serverURLs: [addresses.http, addresses.https].compactMap { $0 }), clock: clock)
    }
}
