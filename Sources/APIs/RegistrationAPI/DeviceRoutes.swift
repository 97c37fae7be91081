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
        directory: any ProjectDirectory, clock: any WallClock,
        registered: @escaping @Sendable (Registration) -> Void
    ) -> Router {
        var router = Router()
        let checkInHandler = CheckInHandler(checkIn: checkIn, clock: clock)
        router.post("/checkin", bodyLimitBytes: bodyLimitBytes) { await checkInHandler.respond(to: $0.request) }
        let classicHandler = ClassicRegistrationHandler(registrar: classic, registered: registered)
        for pattern: PathPattern in ["/register", "/c2dm/register3", "/c2dm/register"] {
            router.post(pattern, bodyLimitBytes: bodyLimitBytes) { await classicHandler.respond(to: $0.request) }
        }
        router.mount(
            InstanceRegistrationRoutes(registrar: instances, directory: directory, registered: registered).router)
        return router
    }
}
