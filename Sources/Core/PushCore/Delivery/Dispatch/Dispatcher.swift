public import PushModel
import Synchronization
public import Timekeeping

/// Takes committed deliveries to their gateway and records how each ended.
///
/// What does not succeed at once is tried again, with growing pauses, until it expires. A bounded number of deliveries
/// is in memory; all others wait in the store and are read when there is room. Every decision is made under one lock,
/// every action taken outside it.
public final class Dispatcher: Sendable {
    let store: any DeliveryStore
    let registrations: any RegistrationStore
    let directory: any ProjectDirectory
    let gateway: any AppleGateway
    let browsers: (any BrowserGateway)?
    let scheduler: any DelayScheduler
    let clock: any WallClock
    let pushIDs: ApplePushIDs
    let observers: [any DeliveryObserver]
    let configuration: DispatcherConfiguration
    let translator = ApplePushTranslator(silentUrgency: .lower)
    let browserTranslator = BrowserPushTranslator()
    let state = Mutex(DispatcherState())

    /// - Parameter browsers: Without it, deliveries to browsers of other push services wait in the store.
    public init(
        store: any DeliveryStore, registrations: any RegistrationStore, directory: any ProjectDirectory,
        gateway: any AppleGateway, browsers: (any BrowserGateway)? = nil, scheduler: any DelayScheduler,
        clock: any WallClock, pushIDs: ApplePushIDs,
        observers: [any DeliveryObserver] = [], configuration: DispatcherConfiguration = .init()
    ) {
        self.store = store
        self.registrations = registrations
        self.directory = directory
        self.gateway = gateway
        self.browsers = browsers
        self.scheduler = scheduler
        self.clock = clock
        self.pushIDs = pushIDs
        self.observers = observers
        self.configuration = configuration
        clock.onJump { [weak self] in self?.dropExpired() }
    }

    /// Starts deliveries that the store has committed. Returns at once.
    ///
    /// - Parameter observer: Hears the first outcome of each.
    public func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver? = nil) {
        submit(deliveries, rendered: nil, firstOutcome: observer)
    }

    /// As the other, for deliveries of one message that was rendered already.
    public func submit(
        _ deliveries: [QueuedDelivery], rendered template: ApplePushTemplate?,
        firstOutcome observer: FirstOutcomeObserver?
    ) {
        let isAdmitted = state.withLock { state in deliveries.map { state.admit($0, configuration) } }
        var rendered: (message: MessageID, template: ApplePushTemplate?)?
        if let template, let first = deliveries.first { rendered = (first.message.id, template) }
        func startAll() {
            for (delivery, isAdmitted) in zip(deliveries, isAdmitted) {
                guard isAdmitted else {
                    _ = observer?(delivery, .waiting(nil))
                    continue
                }
                if rendered?.message != delivery.message.id {
                    rendered = (delivery.message.id, try? translator.template(of: delivery.message))
                }
                start(DeliveryAttempt(delivery, template: rendered?.template, observer: observer))
            }
        }
        if deliveries.count > 1 { gateway.sendingTogether(startAll) } else { startAll() }
        sweepIfRoom()
    }

    /// Goes on with what a former run left in the store, in order of acceptance. Call before the doors open: what is
    /// submitted later is not looked for.
    public func resume() throws(StoreError) {
        let last = try largestPendingDelivery()
        state.withLock { $0.leftInStore = DeliveryIDRanges(through: last) }
        sweepIfRoom()
    }

    /// Tries what waits for the app's APNs token. Call after each registration that gives or changes a token.
    public func registrationChanged(_ id: RegistrationID) {
        state.withLock { state in
            for delivery in state.parked.removeValue(forKey: id) ?? [] { state.leftInStore.insert(delivery.id) }
        }
        sweepIfRoom()
    }

    /// Whether a fan-out may add deliveries: a quarter of the memory, and of each project's share, is kept for sends to
    /// single devices.
    public func hasRoomForFanOut(of project: ProjectNumber) -> Bool {
        state.withLock { state in
            !state.isStopping && state.inMemory < configuration.deliveriesInMemory * 3 / 4
                && state.inMemoryByProject[project, default: 0] < configuration.deliveriesInMemoryPerProject * 3 / 4
        }
    }

    /// Starts nothing more and returns when nothing is being tried. What is left stays in the store.
    public func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isStopping = true
                if state.active > 0 { state.drainWaiters.append(continuation) }
                return state.active == 0
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Deliveries in memory right now, and how many of them are being tried.
    public var load: (inMemory: Int, active: Int) {
        state.withLock { ($0.inMemory, $0.active) }
    }

    /// The store answers only "is anything after this id?", which is enough to search in halves.
    private func largestPendingDelivery() throws(StoreError) -> DeliveryID {
        func isAnythingAfter(_ id: Int64) throws(StoreError) -> Bool {
            try !store.pendingDeliveries(after: DeliveryID(value: id), limit: 1).isEmpty
        }
        guard try isAnythingAfter(0) else { return DeliveryID(value: 0) }
        var low: Int64 = 0
        var high: Int64 = 1
        while high < .max / 2, try isAnythingAfter(high) {
            low = high
            high *= 2
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try isAnythingAfter(middle) { low = middle } else { high = middle }
        }
        return DeliveryID(value: high)
    }
}
