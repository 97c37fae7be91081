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
    /// Last delivery of each collapse id.
    var collapsed: [String: Int] = [:]
}

/// One device.
struct DeviceState {
    let id: String
    var isOnline = true
    /// In use: its screen is on.
    var isActive = true
    var savesPower = false
    var apps: [String: AppState] = [:]
    var deliveries: [DeliveredPush] = []
    var deliveryCount = 0
}
