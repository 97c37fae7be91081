/// A whole device in memory, at a standstill: its executor is drained and its clock moved by hand.
public struct InMemoryDevice: Sendable {
    public var appInfo: FixedAppInfo
    public var facts = FixedDevice()
    public var appState = ManualAppState()
    public var push = ManualPushSource()
    public var secureStore = InMemorySecureStore()
    public var defaults = InMemoryDefaults()
    public var files = InMemoryFiles()
    public var transport = ScriptedTransport()
    public var clock = SteppedClock()
    public var executor = ManualExecutor()
    public var notifications = RecordingNotifications()
    public var scheduler = RecordingScheduler()
    public var links = RecordingLinks()
    public var random: any RandomSource = SeededRandom(seed: 1)
    public var log = RecordingLog()
    public var analytics: RecordingAnalytics?
    public var legacyIdentity: (any LegacyIdentitySource)?
    public var reachability = ManualReachability()
    public var byteStreams = ManualByteStreams()
    public var downloads: (any FileDownloads)?
    public var incomingMessages = ManualIncomingMessages()

    public init(appInfo: FixedAppInfo) {
        self.appInfo = appInfo
    }

    public var platform: Platform {
        Platform(
            appInfo: appInfo, device: facts, appState: appState, push: push, secureStore: secureStore,
            defaults: defaults, files: files, transport: transport, clock: clock, executors: executor.executors,
            notifications: notifications, notificationCenter: scheduler, links: links, random: random, log: log,
            analytics: analytics, legacyIdentity: legacyIdentity, reachability: reachability,
            byteStreams: byteStreams, downloads: downloads, incomingMessages: incomingMessages)
    }

    /// The device after its app was deleted and installed again: files and defaults are gone, secrets are not.
    public func reinstalled() -> InMemoryDevice {
        var device = relaunched()
        device.defaults = InMemoryDefaults()
        device.files = InMemoryFiles()
        return device
    }

    /// Another device that the backup of this one was restored to: defaults come along, secrets and the SDK's files
    /// do not.
    public func restoredToAnotherDevice() -> InMemoryDevice {
        var device = relaunched()
        device.secureStore = InMemorySecureStore()
        device.defaults = InMemoryDefaults(values: defaults.snapshot)
        device.files = InMemoryFiles()
        device.random = SeededRandom(seed: 2)
        return device
    }

    /// The device after its app was ended and started again: what is stored stays, everything else begins anew.
    public func relaunched() -> InMemoryDevice {
        var device = self
        device.appState = ManualAppState()
        device.push = ManualPushSource()
        device.incomingMessages = ManualIncomingMessages()
        device.reachability = ManualReachability(reachability.isReachable)
        device.byteStreams = ManualByteStreams()
        device.executor = ManualExecutor()
        device.notifications = RecordingNotifications()
        device.scheduler = RecordingScheduler()
        device.links = RecordingLinks()
        device.log = RecordingLog()
        return device
    }
}
