public import PushCore
public import Timekeeping

/// What the device channel needs of the service.
public struct DeviceServices: Sendable {
    public typealias UpstreamAcceptor =
        @Sendable (_ message: IncomingUpstream, _ device: UInt64) async throws(StoreError) -> UpstreamAnswer

    /// What a test wants to happen to a login.
    public enum LoginFault: Sendable, Equatable {
        /// The device is told that its credentials are wrong.
        case refused
        /// The connection ends without an answer.
        case closed
    }

    /// Asked before each login; may take its time. `nil` lets the login go on.
    public typealias LoginFaults = @Sendable (_ device: UInt64) async -> LoginFault?

    let inboxes: DeviceInboxes
    let live: LiveDevices
    let acceptUpstream: UpstreamAcceptor
    let clock: any WallClock
    let loginFaults: LoginFaults?

    /// - Parameters:
    ///   - acceptUpstream: Commits a message of a device before it returns.
    ///   - loginFaults: Failures that were asked for, in the emulator.
    public init(
        inboxes: DeviceInboxes, live: LiveDevices, clock: any WallClock, loginFaults: LoginFaults? = nil,
        acceptUpstream: @escaping UpstreamAcceptor
    ) {
        self.inboxes = inboxes
        self.live = live
        self.clock = clock
        self.loginFaults = loginFaults
        self.acceptUpstream = acceptUpstream
    }

    public init(
        inboxes: DeviceInboxes, live: LiveDevices, clock: any WallClock, loginFaults: LoginFaults? = nil,
        upstream: UpstreamIntake
    ) {
        self.init(inboxes: inboxes, live: live, clock: clock, loginFaults: loginFaults) {
            (message, device) throws(StoreError) in
            try await upstream.accept(message, from: device)
        }
    }
}
