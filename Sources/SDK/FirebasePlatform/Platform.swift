import Synchronization

/// Everything the SDK needs from the device it runs on, one seam each.
///
/// The SDK's own logic is plain Swift; whatever touches an operating system goes through this value. A virtual iPhone
/// makes one `Platform` per device, so hundreds of them live in one process and share nothing.
public struct Platform: Sendable {
    public var appInfo: any AppInfo
    public var device: any DeviceFacts
    public var appState: any AppStateSource
    public var push: any PushRegistrationSource
    public var secureStore: any SecureStore
    public var defaults: any DefaultsStore
    public var files: any FileStore
    public var transport: any WebTransport
    public var clock: any PlatformClock
    public var executors: Executors
    public var notifications: any NotificationPoster
    public var notificationCenter: any LocalNotificationScheduler
    public var links: any LinkOpener
    public var random: any RandomSource
    public var log: any LogSink
    /// `nil` when the app links no analytics: then nothing is reported, and nothing else changes.
    public var analytics: (any AnalyticsSink)?
    /// `nil` on devices that never ran the Instance ID library.
    public var legacyIdentity: (any LegacyIdentitySource)?
    /// `nil` where the system does not tell: then what waits for a network is tried again by time alone.
    public var reachability: (any ReachabilitySource)?
    /// `nil` where there are no connections but HTTP's: then the direct channel stays down.
    public var byteStreams: (any ByteStreamConnector)?
    /// `nil` where notifications have no attachments: then images of messages are left out.
    public var downloads: (any FileDownloads)?
    /// `nil` where the app alone hands messages over.
    public var incomingMessages: (any IncomingMessageSource)?

    public init(
        appInfo: any AppInfo, device: any DeviceFacts, appState: any AppStateSource,
        push: any PushRegistrationSource, secureStore: any SecureStore, defaults: any DefaultsStore,
        files: any FileStore, transport: any WebTransport, clock: any PlatformClock, executors: Executors,
        notifications: any NotificationPoster, notificationCenter: any LocalNotificationScheduler,
        links: any LinkOpener, random: any RandomSource, log: any LogSink, analytics: (any AnalyticsSink)? = nil,
        legacyIdentity: (any LegacyIdentitySource)? = nil, reachability: (any ReachabilitySource)? = nil,
        byteStreams: (any ByteStreamConnector)? = nil, downloads: (any FileDownloads)? = nil,
        incomingMessages: (any IncomingMessageSource)? = nil
    ) {
        self.appInfo = appInfo
        self.device = device
        self.appState = appState
        self.push = push
        self.secureStore = secureStore
        self.defaults = defaults
        self.files = files
        self.transport = transport
        self.clock = clock
        self.executors = executors
        self.notifications = notifications
        self.notificationCenter = notificationCenter
        self.links = links
        self.random = random
        self.log = log
        self.analytics = analytics
        self.legacyIdentity = legacyIdentity
        self.reachability = reachability
        self.byteStreams = byteStreams
        self.downloads = downloads
        self.incomingMessages = incomingMessages
    }
}

extension Platform {
    private static let installedPlatform = Mutex<Platform?>(nil)

    /// The platform of the process: what `FirebaseApp.configure()` uses outside of any explicit container.
    ///
    /// The Apple adapters install theirs; a process that hosts virtual devices leaves it `nil`.
    public static var installed: Platform? {
        installedPlatform.withLock { $0 }
    }

    /// Sets the process-wide platform. Call it before the first `FirebaseApp.configure()`.
    public static func install(_ platform: Platform) {
        installedPlatform.withLock { $0 = platform }
    }
}
