public import Timekeeping

/// A push as it reaches a phone.
public struct ArrivingPush: Sendable, Equatable {
    public var bundleID: String
    /// `alert`, `background`…; empty when the sender gave none.
    public var pushType: String
    public var collapseID: String?
    public var apnsID: String
    /// JSON.
    public var payload: [UInt8]
    public var deliveredAt: Timestamp

    public init(
        bundleID: String, pushType: String, collapseID: String?, apnsID: String, payload: [UInt8],
        deliveredAt: Timestamp
    ) {
        self.bundleID = bundleID
        self.pushType = pushType
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.payload = payload
        self.deliveredAt = deliveredAt
    }
}

/// The phone's own line to APNs, over which it gets its device tokens and its pushes.
public protocol APNsLink: Sendable {
    /// Registers an app; the same app gets the same token until it is uninstalled.
    /// - Returns: The device token. Throws when APNs cannot be reached.
    func register(bundleID: String, sandbox: Bool) async throws -> [UInt8]
    /// The app is gone: its token dies.
    func uninstall(bundleID: String) async
    /// Whether the phone has a network. APNs keeps one push per app for a phone without.
    func setOnline(_ isOnline: Bool) async
    /// Calls the handler for each push, in order, until `close`.
    func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void)
    func close() async
}
