import EventLoop
import FirebaseCore
import FirebasePlatform
import Synchronization

/// What iOS does with the service extension of an app: gives it each notification that it may change, and shows what it
/// gives back, or the notification as it came when it takes too long.
///
/// The extension is a process of its own: it has files, defaults and secrets of its own, and no app object. Everything
/// runs on the phone's main thread.
final class ServiceExtensionHost: Sendable {
    /// Source: Apple, `UNNotificationServiceExtension`: "about 30 seconds".
    static let timeLimitSeconds = 30.0

    private let container: FirebaseContainer
    private let downloads: PhoneDownloads
    private let makeService: @Sendable () -> any HostedServiceExtension
    private let clock: PhoneClock
    private let loop: EventLoop

    init(
        platform: Platform, downloads: PhoneDownloads, clock: PhoneClock, loop: EventLoop,
        makeService: @escaping @Sendable () -> any HostedServiceExtension
    ) {
        container = FirebaseContainer(platform: platform)
        self.downloads = downloads
        self.makeService = makeService
        self.clock = clock
        self.loop = loop
    }

    /// Called on main.
    /// - Parameter show: Called once, on main.
    func process(_ notification: ShownNotification, show: @escaping @Sendable (ShownNotification) -> Void) {
        let run = ExtensionRun(notification, show)
        let content = PhoneNotificationContent(notification, downloads: downloads)
        let service = makeService()
        run.keep(service)
        let timer = Task(executorPreference: loop) { [clock, loop] in
            guard (try? await clock.sleep(seconds: Self.timeLimitSeconds)) != nil else { return }
            _ = loop.execute { run.expire() }
        }
        container.run {
            service.didReceive(content, identifier: notification.identifier) { content in
                timer.cancel()
                run.finish(content)
            }
        }
    }
}

/// One notification in the hands of the extension.
///
/// `@unchecked Sendable` holds because everything but the handing on happens on the phone's main thread.
private final class ExtensionRun: @unchecked Sendable {
    private let notification: ShownNotification
    private let show: @Sendable (ShownNotification) -> Void
    private var service: (any HostedServiceExtension)?
    private var isFinished = false

    init(_ notification: ShownNotification, _ show: @escaping @Sendable (ShownNotification) -> Void) {
        self.notification = notification
        self.show = show
    }

    func keep(_ service: any HostedServiceExtension) { self.service = service }

    func expire() { if !isFinished { service?.serviceExtensionTimeWillExpire() } }

    /// A second call changes nothing, as on iOS.
    func finish(_ content: PhoneNotificationContent) {
        guard !isFinished else { return }
        isFinished = true
        service = nil
        var changed = notification
        changed.title = content.title
        changed.body = content.body
        changed.attachments = content.attachments
        show(changed)
    }
}
