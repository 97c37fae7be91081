public import EventLoop
import FirebaseCore
import FirebaseInstallations
public import FirebasePlatform
import JSON
import Synchronization
public import Timekeeping

/// A simulated iPhone with one app on it, which hosts the real SDK: life cycle, notification centre, taps, permission,
/// the line to APNs.
///
/// All of the app's code runs on the phone's event loop, its main thread. Many phones share one loop.
public final class VirtualIPhone: Sendable {
    /// Why a phone did not do what it was asked.
    public enum Failure: Error, Sendable, Equatable {
        case configuration(String)
        case apnsUnreachable(String)
        /// The app did not register in time.
        case notRegistered
        case notRunning
    }

    /// An app instance that can be sent to.
    public struct Identity: Sendable, Equatable {
        public var fid: String
        /// The registration token; `nil` in FID mode.
        public var token: String?
        /// Lower-case hex.
        public var apnsToken: String
        public var androidID: UInt64?
        public var securityToken: UInt64?
        public var authToken: String?
        public var refreshToken: String?
    }

    struct State {
        var isOnline = true
        var allowsNotifications = true
        var endedByUser = false
        var tray = NotificationTray()
        var categories: [NotificationCategory] = []
        var apnsToken = ""
        var registered: String?
        var container: FirebaseContainer?
        var app: (any HostedApp)?
        var serviceExtension: ServiceExtensionHost?
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    public let name: String
    public let package: AppPackage
    let loop: EventLoop
    let clock: any WallClock
    let link: any APNsLink
    let state = Mutex(State())
    let appState = ManualAppState(.background)
    let phone: PhoneModel
    private let pushSource = ManualPushSource()
    let incomingMessages = ManualIncomingMessages()
    private let secureStore = InMemorySecureStore()
    private let defaults = Mutex(InMemoryDefaults())
    private let files = Mutex(InMemoryFiles())
    let log = PhoneLog()
    let phoneClock: PhoneClock
    let timetable: PhoneTimetable
    let tap: IdentityTap
    private let reachability = ManualReachability()
    private let byteStreams: PhoneByteStreams?
    private let events: @Sendable (DeviceEvent) -> Void
    let reachesInternet: Bool

    /// - Parameters:
    ///   - transport: The way of the SDK's HTTP requests to the service.
    ///   - byteStreams: The way of its direct channel; without one there is none.
    ///   - reachesInternet: Whether images of notifications come from other machines too.
    ///   - events: Hears everything that happens on the phone, on the phone's loop.
    public init(
        name: String, package: AppPackage, phone: PhoneModel = PhoneModel(), link: any APNsLink,
        transport: any WebTransport, byteStreams: (any ByteStreamConnector)? = nil,
        reachesInternet: Bool = false, clock: any WallClock, loop: EventLoop,
        events: @escaping @Sendable (DeviceEvent) -> Void
    ) {
        self.name = name
        self.package = package
        self.phone = phone
        self.link = link
        self.clock = clock
        self.loop = loop
        self.events = events
        self.reachesInternet = reachesInternet
        phoneClock = PhoneClock(clock: clock, loop: loop)
        timetable = PhoneTimetable(clock: phoneClock, loop: loop, offsetSeconds: phone.timeZoneOffsetSeconds)
        tap = IdentityTap(transport) { [reachability] in reachability.isReachable }
        self.byteStreams = byteStreams.map { [reachability] streams in
            PhoneByteStreams(streams, loop: loop) { reachability.isReachable }
        }
        timetable.onDue { [weak self] notification in self?.showScheduled(notification) }
        link.onPush { [weak self] push in
            guard let self else { return }
            _ = loop.execute { self.arrived(push) }
        }
    }

    func report(_ kind: DeviceEvent.Kind, messageID: String? = nil, _ details: JSONObject = [:]) {
        events(DeviceEvent(kind: kind, device: name, time: clock.now(), messageID: messageID, details: details))
    }

    private func makePlatform() -> Platform {
        Platform(
            appInfo: PackageInfo(package: package), device: PhoneFacts(phone: phone), appState: appState,
            push: pushSource, secureStore: secureStore, defaults: defaults.withLock { $0 },
            files: files.withLock { $0 }, transport: tap, clock: phoneClock,
            executors: loop.phoneExecutors,
            notifications: AppNotifications { [weak self] in self?.posted($0, object: $1, userInfo: $2) },
            notificationCenter: timetable, links: RecordingLinks(), random: SystemRandom(), log: log,
            reachability: reachability, byteStreams: byteStreams,
            // The sample app hands its messages over itself.
            incomingMessages: package.code == nil ? nil : incomingMessages)
    }

    // MARK: Life cycle

    /// Starts the app. The SDK is configured and the sample app asks APNs for its device token.
    public func launch(foreground: Bool) async throws(Failure) {
        try await launch(foreground: foreground, tapped: nil)
    }

    func launch(foreground: Bool, tapped payload: JSONObject?) async throws(Failure) {
        let container = FirebaseContainer(platform: makePlatform())
        let app = package.code?.makeApp(self) ?? makeSampleApp()
        appState.move(to: foreground ? .inactive : .background)
        state.withLock { state in
            state.container = container
            state.app = app
            state.endedByUser = false
        }
        await onMain { container.run { app.didFinishLaunching(tapped: payload) } }
        if package.code == nil, let failure = container.configurationFailure { throw .configuration(failure.message) }
        if foreground { await becomeActive() }
        if package.code == nil { try await registerForRemoteNotifications() }
    }

    private func makeSampleApp() -> SampleApp {
        setNotificationCategories(
            package.dismissCategories.map { NotificationCategory(identifier: $0, hasCustomDismissAction: true) })
        return SampleApp(
            package: package,
            report: { [weak self] kind, messageID, details in self?.report(kind, messageID: messageID, details) },
            registered: { [weak self] identifier in self?.noteRegistered(identifier) })
    }

    /// The app when it is the sample app: it alone has more to be asked for.
    var sampleApp: SampleApp? { state.withLock(\.app) as? SampleApp }

    /// `UIApplication.registerForRemoteNotifications()`.
    public func registerForRemoteNotifications() async throws(Failure) {
        do {
            let token = try await link.register(bundleID: package.bundleID, sandbox: package.usesSandbox)
            state.withLock { $0.apnsToken = token.map { Self.hex($0) }.joined() }
            await onMain { [self] in
                report(
                    .didRegisterForRemoteNotifications,
                    ["apns_token": .string(state.withLock(\.apnsToken))])
                pushSource.emit(
                    .registered(deviceToken: token, environment: package.usesSandbox ? .sandbox : .production))
                inContainer { state.withLock(\.app)?.didRegister(deviceToken: token) }
            }
        } catch {
            await onMain { [self] in
                report(.didFailToRegisterForRemoteNotifications, ["reason": .string("\(error)")])
                pushSource.emit(.failed(reason: "\(error)"))
                inContainer { state.withLock(\.app)?.didFailToRegister(reason: "\(error)") }
            }
            throw .apnsUnreachable("\(error)")
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    /// The user opens the app.
    public func moveToForeground() async {
        await onMain { [self] in
            guard isRunning, appState.current != .active else { return }
            activate()
            report(.didBecomeActive)
        }
    }

    private func becomeActive() async {
        await onMain { [self] in activate() }
    }

    /// The SDK observes the same event as the app, and hears of it first.
    private func activate() {
        inContainer {
            appState.move(to: .active)
            state.withLock(\.app)?.didBecomeActive()
        }
    }

    /// The user leaves the app.
    public func moveToBackground() async {
        await onMain { [self] in
            guard isRunning, appState.current != .background else { return }
            inContainer {
                appState.move(to: .background)
                state.withLock(\.app)?.didEnterBackground()
            }
            report(.didEnterBackground)
        }
    }

    /// Ends the app's process. The system may start it again for a background push, unless the user ended it.
    public func terminate(byUser: Bool) async {
        await onMain { [self] in
            inContainer {
                state.withLock(\.app)?.willTerminate()
                appState.terminate()
            }
            appState.move(to: .background)
            // Whatever the SDK still does ends with the process.
            for app in (state.withLock(\.container)?.allApps ?? [:]).values { app.delete { _ in } }
            state.withLock { state in
                state.container = nil
                state.app = nil
                state.endedByUser = byUser
            }
            report(.willTerminate)
        }
    }

    /// Flight mode. APNs keeps one push for the app until the phone comes back.
    public func setOnline(_ isOnline: Bool) async {
        state.withLock { $0.isOnline = isOnline }
        await onMain { [reachability, byteStreams] in
            reachability.set(isOnline)
            if !isOnline { byteStreams?.breakAll() }
        }
        await link.setOnline(isOnline)
    }

    /// Whether the user lets the app show notifications.
    public func setAllowsNotifications(_ allows: Bool) {
        state.withLock { $0.allowsNotifications = allows }
    }

    /// Removes the app: its files and defaults go, its keychain items stay, its device token dies.
    public func uninstall() async {
        if isRunning { await terminate(byUser: true) }
        await link.uninstall(bundleID: package.bundleID)
        defaults.withLock { $0 = InMemoryDefaults() }
        files.withLock { $0 = InMemoryFiles() }
        state.withLock { state in
            state.serviceExtension = nil
            state.tray.removeAll(of: package.bundleID)
            timetable.removeAll()
            state.categories = []
            state.apnsToken = ""
            state.registered = nil
        }
    }

    /// Ends the phone.
    public func close() async {
        if isRunning { await terminate(byUser: false) }
        await link.close()
    }

    // MARK: What can be seen

    public var isRunning: Bool { state.withLock { $0.container != nil } }

    public var isForeground: Bool { appState.current == .active && isRunning }

    public var isOnline: Bool { state.withLock(\.isOnline) }

    /// The registration token, or the FID in FID mode, once the app is registered.
    public var registered: String? { state.withLock(\.registered) }

    public var registeredFID: String? { registered.map { String($0.prefix { $0 != ":" }) } }

    /// The device token in hex, empty before APNs gave one.
    public var apnsToken: String { state.withLock(\.apnsToken) }

    /// What the user sees in the notification centre, newest last.
    public var shownNotifications: [ShownNotification] { state.withLock(\.tray.notifications) }

    /// What the SDK logged, newest last.
    public var logLines: [String] { log.latest }

    /// The number on the app's icon.
    public var badge: Int { state.withLock { $0.tray.badges[package.bundleID] ?? 0 } }

    /// Waits until the app is registered, and returns what it got.
    /// - Parameter seconds: How long to wait, in real time.
    public func identity(withinSeconds seconds: Int) async throws(Failure) -> Identity {
        guard await waitForRegistration(seconds: seconds) else { throw .notRegistered }
        guard let container = state.withLock(\.container) else { throw .notRunning }
        let installations = container.run { Installations.installations() }
        let authToken = try? await installations.authToken().authToken
        let identities = tap.identities
        let (registered, apnsToken) = state.withLock { ($0.registered ?? "", $0.apnsToken) }
        let isFID = package.mode == .fid
        return Identity(
            fid: isFID ? registered : String(registered.prefix { $0 != ":" }), token: isFID ? nil : registered,
            apnsToken: apnsToken, androidID: identities.androidID, securityToken: identities.securityToken,
            authToken: authToken ?? identities.authToken, refreshToken: identities.refreshToken)
    }

    private func waitForRegistration(seconds: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.registered != nil { return true }
                state.waiters.append(continuation)
                return false
            }
            guard !isThere else { return continuation.resume(returning: true) }
            _ = loop.execute { [weak self, loop] in
                loop.schedule(after: .seconds(seconds)) { self?.wakeWaiters(false) }
            }
        }
    }

    private func noteRegistered(_ identifier: String?) {
        state.withLock { $0.registered = identifier }
        if identifier != nil { wakeWaiters(true) }
    }

    private func wakeWaiters(_ isRegistered: Bool) {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: isRegistered) }
    }

    // MARK: Main thread

    func onMain<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            if !loop.execute({ continuation.resume(returning: work()) }) { continuation.resume(returning: work()) }
        }
    }

    /// Runs app code on main, inside the phone's container.
    public func onMainThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await onMain { [self] in
            guard let container = state.withLock(\.container) else { return work() }
            return container.run(work)
        }
    }

    /// Runs app code: shared objects of the SDK are those of this phone.
    func inContainer(_ work: () -> Void) {
        guard let container = state.withLock(\.container) else { return }
        container.run(work)
    }
}
