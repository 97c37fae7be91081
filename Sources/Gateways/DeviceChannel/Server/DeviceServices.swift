public import PushCore
public import Timekeeping

/// What the device channel needs of the service.
public struct DeviceServices: Sendable {
    public typealias UpstreamAcceptor =
        @Sendable (_ message: IncomingUpstream, _ device: UInt64) async throws(StoreError) -> UpstreamAnswer

    let inboxes: DeviceInboxes
    let live: LiveDevices
    let acceptUpstream: UpstreamAcceptor
    let clock: any WallClock

    /// - Parameter acceptUpstream: Commits a message of a device before it returns.
    public init(
        inboxes: DeviceInboxes, live: LiveDevices, clock: any WallClock, acceptUpstream: @escaping UpstreamAcceptor
    ) {
        self.inboxes = inboxes
        self.live = live
        self.clock = clock
        self.acceptUpstream = acceptUpstream
    }

    public init(inboxes: DeviceInboxes, live: LiveDevices, clock: any WallClock, upstream: UpstreamIntake) {
        self.init(inboxes: inboxes, live: live, clock: clock) { (message, device) throws(StoreError) in
            try await upstream.accept(message, from: device)
        }
    }
}
