import FirebaseCore
import FirebaseInstallations
import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What messaging does by itself for one app: it starts, follows device tokens and installation ids, and keeps the
/// app registered.
final class MessagingCore: Sendable {
    private struct State {
        var deviceToken: Data?
        /// The latest binding. It stays when the app clears its device token.
        var binding: APNSBinding?
        var detectedSandbox: Bool?
        var isRegistering = false
        var registersAgain = false
        var observations: [Observation] = []
        var isStarted = false
        var managesDirectChannel = false
        /// The secure store could not be read or written: the device was locked, it may not be any more.
        var waitsForStore = false
        var isClosed = false
    }

    let app: FirebaseApp
    let platform: Platform
    let announcer: RegistrationAnnouncer
    let service: RegistrationService
    let receiver: MessageReceiver
    let topics: TopicQueue
    let directChannel: DirectChannel
    /// Topic calls, in the order the app made them: each waits for a registration first.
    let topicCalls: SerialOperations
    /// Start, new device tokens and new installation ids are looked at one after the other.
    private let events: SerialOperations
    private let state = Mutex(State())

    init(app: FirebaseApp) {
        self.app = app
        platform = app.platform
        announcer = RegistrationAnnouncer(app: app)
        service = RegistrationService(
            app: app, installations: Installations.installations(app: app), announcer: announcer)
        receiver = MessageReceiver(app: app)
        topics = TopicQueue(app: app, service: service, announcer: announcer)
        directChannel = DirectChannel(
            app: app, checkIns: service.checkIns, announcer: announcer, receiver: receiver)
        topicCalls = SerialOperations(on: app.platform.executors)
        events = SerialOperations(on: app.platform.executors)
    }

    /// Once; later calls do nothing.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        guard !platform.appInfo.isExtension || platform.appInfo.isWatchExtension else { return }
        app.log.info("I-FCM002000", "Messaging \(sdkVersion) starts.")
        if service.defaultKey.sender.isEmpty {
            app.log.error(
                "I-FCM002029", "GCM_SENDER_ID is missing in GoogleService-Info.plist: there will be no registration.")
        }
        var observations: [Observation] = []
        if platform.appInfo.isAppDelegateProxyEnabled {
            app.log.notice(
                "I-FCM001000",
                "The app delegate proxy is on. Set FirebaseAppDelegateProxyEnabled to NO in Info.plist to do without.")
            observations.append(platform.push.observe { [weak self] in self?.receive($0) })
            let messages = platform.incomingMessages?.observeMessages { [weak self] in self?.receiver.handle($0) }
            if let messages { observations.append(messages) }
            HostProxies.install(for: platform)
        }
        let ids = service.installations.observeIDChanges { [weak self] in
            self?.events.enqueue { [weak self] in await self?.followInstallationID() }
        }
        observations += [ids].compactMap { $0 }
        observations.append(
            platform.appState.observe { [weak self] event in
                if event == .didBecomeActive { self?.lookAgain() }
            })
        observations += topicObservations() + directChannelObservations() + reportObservations()
        state.withLock { $0.observations = observations }
        directChannel.handle(.start)
        events.enqueue { [weak self] in await self?.resume() }
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    func close() {
        let observations = state.withLock { state in
            state.isClosed = true
            defer { state.observations = [] }
            return state.observations
        }
        for observation in observations { observation.cancel() }
        events.close()
        topics.close()
        topicCalls.close()
        directChannel.handle(.close)
        service.close()
    }
}

extension MessagingCore {
    /// Whether the app leaves the direct channel to the SDK.
    var managesDirectChannel: Bool { state.withLock(\.managesDirectChannel) }

    /// - Returns: Whether that is news.
    func changeManagesDirectChannel(_ isManaged: Bool) -> Bool {
        state.withLock { state in
            defer { state.managesDirectChannel = isManaged }
            return state.managesDirectChannel != isManaged
        }
    }
}

// MARK: - Device tokens

extension MessagingCore {
    var deviceToken: Data? { state.withLock(\.deviceToken) }

    var binding: APNSBinding? { state.withLock(\.binding) }

    /// - Parameter token: `nil` clears what the app reads back; registrations stay bound to the last one.
    func setDeviceToken(_ token: Data?, type: MessagingAPNSTokenType) {
        guard let token, !token.isEmpty else {
            state.withLock { $0.deviceToken = nil }
            return
        }
        let binding = APNSBinding(deviceToken: Array(token), isSandbox: isSandbox(type))
        let isNew = state.withLock { state in
            guard state.deviceToken != token || state.binding != binding else { return false }
            state.deviceToken = token
            state.binding = binding
            return true
        }
        guard isNew else { return }
        let notifications = platform.notifications
        app.onMainNow {
            notifications.post(.apnsTokenSet, object: token, userInfo: ["APNSTokenType": type.rawValue])
        }
        events.enqueue { [weak self] in await self?.registerWhereNeeded() }
    }

    private func receive(_ event: PushRegistrationEvent) {
        switch event {
        case .registered(let token, let environment):
            let type: MessagingAPNSTokenType =
                switch environment {
                case .sandbox: .sandbox
                case .production: .prod
                case nil: .unknown
                }
            setDeviceToken(Data(token), type: type)
        case .failed(let reason):
            app.log.error("I-FCM012002", "The registration with APNs failed: \(reason)")
        }
    }

    /// Simulators have sandbox tokens, whatever the app says.
    func isSandbox(_ type: MessagingAPNSTokenType) -> Bool {
        if platform.appInfo.isSimulator { return true }
        switch type {
        case .sandbox: return true
        case .prod: return false
        case .unknown: break
        }
        if let known = state.withLock(\.detectedSandbox) { return known }
        let detected = APNSEnvironment.isSandbox(platform.appInfo, platformName: platform.device.platformName)
        state.withLock { $0.detectedSandbox = detected }
        return detected
    }
}

// MARK: - Staying registered

extension MessagingCore {
    /// Precedence: what the app set at run time, then Info.plist, then the data-collection flag of the app.
    var isAutoInitEnabled: Bool {
        platform.defaults.value(Self.autoInitKey)?.flag
            ?? platform.appInfo.infoValue("FirebaseMessagingAutoInitEnabled")?.lenientFlag
            ?? app.isDataCollectionDefaultEnabled
    }

    static let autoInitKey = "com.firebase.messaging.auto-init.enabled"

    func setAutoInitEnabled(_ isEnabled: Bool) {
        let wasEnabled = isAutoInitEnabled
        platform.defaults.set(.bool(isEnabled), for: Self.autoInitKey)
        guard isEnabled, !wasEnabled else { return }
        events.enqueue { [weak self] in await self?.registerWhereNeeded() }
    }

    /// After the start of the app: tells it about the registration it has, and renews what went stale.
    private func resume() async {
        await service.clearLeftOver()
        guard !service.defaultKey.sender.isEmpty else { return }
        guard dropUseless() else { return }
        if let record = try? service.store.record(service.defaultKey), record.kind == service.kind {
            announcer.announce(record.token, kind: record.kind)
        }
        await registerWhereNeeded()
    }

    /// An app that comes to the foreground is on a device that was unlocked.
    private func lookAgain() {
        let waits = state.withLock { state in
            defer { state.waitsForStore = false }
            return state.waitsForStore
        }
        if waits { events.enqueue { [weak self] in await self?.resume() } }
    }

    /// Takes away registrations of another installation, and stale ones of other senders.
    ///
    /// An app without registrations is not asked for its installation id: that would make one, unasked.
    ///
    /// - Returns: False when the store or the installation cannot be read now: then nothing is known.
    private func dropUseless() -> Bool {
        let records = try? service.store.all()
        if records?.isEmpty == true { return true }
        guard let records, case .success(let id) = service.installations.currentID() else {
            app.log.warning("I-FCM002032", "The stored registrations cannot be read now.")
            state.withLock { $0.waitsForStore = true }
            return false
        }
        let freshness = service.freshness
        for record in records {
            let isForeign = !Freshness.belongs(record, to: id)
            let isStale = record.key != service.defaultKey && freshness.staleness(of: record) != nil
            if isForeign || isStale { try? service.store.remove(record.key) }
        }
        return true
    }

    /// Renews every registration that is stale or bound to another device token, and makes the first one when the app
    /// wants that to happen by itself or topic calls wait for it. Waits for a device token.
    private func registerWhereNeeded() async {
        guard let binding, !service.defaultKey.sender.isEmpty else { return }
        guard let records = try? service.store.all() else { return state.withLock { $0.waitsForStore = true } }
        let hasDefault = records.contains { $0.key == service.defaultKey }
        let needsDefault = (try? service.usableRecord(service.defaultKey, apns: binding)) == nil
        if hasDefault ? needsDefault : isAutoInitEnabled || topics.hasWork { registerInBackground() }
        for record in records where record.key != service.defaultKey && record.apns != binding {
            guard record.kind == .token, service.kind == .token else { continue }
            platform.executors.start { [service] in _ = try? await service.registration(record.key, apns: binding) }
        }
    }

    /// A registration of the installation id names the device of the direct channel, which is there now.
    func nameDevice() {
        guard service.kind == .installationID else { return }
        events.enqueue { [weak self] in await self?.registerWhereNeeded() }
    }

    /// The id changed: a registration of the old one is of no use, and the app still wants one.
    private func followInstallationID() async {
        guard service.kind == .installationID else { return }
        let record = try? service.store.record(service.defaultKey)
        guard let known = record?.token ?? announcer.current,
            case .success(let id) = service.installations.currentID(), known != id
        else { return }
        app.log.info("I-FCM002030", "The installation id changed: registering the new one.")
        try? service.store.remove(service.defaultKey)
        if binding != nil { registerInBackground() }
    }

    /// Registers until it is done or refused; without network it tries again later.
    func registerInBackground() {
        let starts = state.withLock { state in
            guard !state.isClosed else { return false }
            if state.isRegistering {
                state.registersAgain = true
                return false
            }
            state.isRegistering = true
            return true
        }
        guard starts else { return }
        platform.executors.start { [weak self] in
            var attempt = 0
            while let delay = await self?.registerOnce(attempt: attempt) {
                attempt += 1
                guard let clock = self?.platform.clock, (try? await clock.sleep(seconds: delay)) != nil else { return }
            }
        }
    }

    /// - Returns: The seconds to wait before the next try, `nil` when there is none.
    private func registerOnce(attempt: Int) async -> Double? {
        guard !state.withLock(\.isClosed) else { return nil }
        do {
            _ = try await service.registration(service.defaultKey, apns: binding)
        } catch let error where Self.mayPass(error) {
            return Double(min(1 << min(attempt, 5), 32))
        } catch {
            app.log.error("I-FCM002033", "The registration failed: \(error)")
            if Self.isOfStore(error) { state.withLock { $0.waitsForStore = true } }
        }
        let again = state.withLock { state in
            defer { state.registersAgain = false }
            state.isRegistering = state.registersAgain
            return state.registersAgain
        }
        return again ? 0 : nil
    }

    private static func isOfStore(_ error: any Error) -> Bool {
        error is SecureStoreError || (error as? InstallationsErrorCode)?.code == .keychain
    }

    static func mayPass(_ error: any Error) -> Bool {
        if let error = error as? WebError { return error != .cancelled }
        return (error as? InstallationsErrorCode)?.code == .serverUnreachable
    }
}
