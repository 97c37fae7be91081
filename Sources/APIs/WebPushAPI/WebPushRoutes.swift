public import GoogleAPI
public import PushCore
public import Timekeeping

/// Everything about browsers: the push service of our own, and registrations by subscription.
public enum WebPushRoutes {
    /// - Parameters:
    ///   - senders: Who shows a server key.
    ///   - origins: Under which names this push service is known.
    public static func router(
        endpoints: BrowserEndpoints, subscriber: BrowserSubscriber, pipeline: SendPipeline,
        directory: any ProjectDirectory, senders: SenderAuthentication, origins: PushServiceOrigins,
        clock: any WallClock
    ) -> Router {
        var router = PushServiceRoutes(
            endpoints: endpoints, pipeline: pipeline, directory: directory, senders: senders, origins: origins,
            clock: clock
        ).router
        router.mount(ConnectRoutes(subscriber: subscriber, directory: directory).router)
        router.mount(WebImportRoutes(subscriber: subscriber, senders: senders).router)
        return router
    }
}
