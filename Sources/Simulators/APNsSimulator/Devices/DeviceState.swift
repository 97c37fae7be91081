import Timekeeping

/// A push that waits for its device.
struct WaitingPush {
    let push: JudgedPush
    let acceptSequence: Int
    let acceptedAt: Timestamp
    let expiresAt: Timestamp
}

/// One installed app on a device.
struct AppState {
    private static let collapseIDsKept = 256

    var bundleID: String
    /// Tokens by topic: the app's own, and those of its VoIP, live activity or widget parts.
    var tokens: [String: String] = [:]
    var isEnabled = true
    var isForceQuit = false
    /// The only stored push.
    var slot: WaitingPush?
    /// The only background push beyond the budget.
    var held: WaitingPush?
    /// When background pushes were delivered within the last hour.
    var backgroundDeliveries: [Timestamp] = []
    private var collapsed: [String: Int] = [:]

    init(bundleID: String) {
        self.bundleID = bundleID
    }

    /// - Returns: The earlier delivery that this one replaces on the screen.
    mutating func noteDelivery(_ push: JudgedPush, sequence: Int, now: Timestamp) -> Int? {
        if push.type == .background {
            backgroundDeliveries.removeAll { $0 <= now.adding(seconds: -3600) }
            backgroundDeliveries.append(now)
        }
        guard let id = push.collapseID else { return nil }
        if collapsed.count >= Self.collapseIDsKept && collapsed[id] == nil { collapsed = [:] }
        return collapsed.updateValue(sequence, forKey: id)
    }
}

/// One device.
struct DeviceState {
    let id: String
    var isOnline = true
    /// In use: its screen is on.
    var isActive = true
    var savesPower = false
    var apps: [String: AppState] = [:]
    /// The latest deliveries, oldest first.
    private(set) var deliveries: [DeliveredPush] = []
    private(set) var deliveryCount = 0

    init(id: String, isOnline: Bool = true) {
        self.id = id
        self.isOnline = isOnline
    }

    /// What waits for the device, oldest first.
    var waiting: [WaitingPush] {
        apps.values.flatMap { app in [app.slot, app.held].compactMap { $0 } }
            .sorted { $0.acceptSequence < $1.acceptSequence }
    }

    mutating func remove(_ item: WaitingPush, fromApp bundleID: String) {
        if apps[bundleID]?.slot?.acceptSequence == item.acceptSequence { apps[bundleID]?.slot = nil }
        if apps[bundleID]?.held?.acceptSequence == item.acceptSequence { apps[bundleID]?.held = nil }
    }

    mutating func deliver(
        _ item: WaitingPush, toApp bundleID: String, keeping limit: Int, now: Timestamp
    ) -> DeliveredPush {
        deliveryCount += 1
        let replaces = apps[bundleID]?.noteDelivery(item.push, sequence: deliveryCount, now: now)
        let delivery = DeliveredPush(
            sequence: deliveryCount, acceptSequence: item.acceptSequence, acceptedAt: item.acceptedAt,
            deliveredAt: now, deviceID: id, bundleID: bundleID, replaces: replaces ?? nil, push: item.push)
        deliveries.append(delivery)
        if deliveries.count > 2 * limit { deliveries.removeFirst(deliveries.count - limit) }
        return delivery
    }
}
