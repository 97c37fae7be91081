public import GoogleAPI
public import PushCore
public import PushModel
public import Timekeeping

/// Everything that a device calls before it can receive: check-in and both kinds of registration.
public enum DeviceRoutes {
    private static let bodyLimitBytes = 65_536

    /// - Parameter registered: Hears each registration, so that what waits for it can go out.
    public static func router(
        checkIn: DeviceCheckIn, classic: ClassicRegistrar, instances: InstanceRegistrar,
        topics: DeviceTopics, subscriptions: TopicSubscriptions, directory: any ProjectDirectory,
        clock: any WallClock,
        registered: @escaping @Sendable (Registration) -> Void
    ) -> Router {
        var router = Router()
        let checkInHandler = CheckInHandler(checkIn: checkIn, clock: clock)
        router.post("/checkin", bodyLimitBytes: bodyLimitBytes) { await checkInHandler.respond(to: $0.request) }
        let classicHandler = ClassicRegistrationHandler(
            registrar: classic, topics: topics, registered: registered)
        for pattern: PathPattern in ["/register", "/c2dm/register3", "/c2dm/register", "/iid/register"] {
            router.post(pattern, bodyLimitBytes: bodyLimitBytes) { await classicHandler.respond(to: $0.request) }
        }
        router.mount(
            InstanceRegistrationRoutes(registrar: instances, directory: directory, registered: registered).router)
        router.mount(
            InstanceTopicRoutes(registrar: instances, subscriptions: subscriptions, directory: directory).router)
        return router
    }
}
