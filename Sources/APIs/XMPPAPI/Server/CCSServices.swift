public import GoogleAPI
import LegacyAPI
public import PushCore
public import Timekeeping

/// What the connection server needs of the service.
public struct CCSServices: Sendable {
    let senders: SenderAuthentication
    let sender: SingleMessageSender
    let upstream: UpstreamDispatcher
    /// Unpredictable bytes.
    let random: @Sendable (Int) -> [UInt8]

    public init(
        pipeline: SendPipeline, senders: SenderAuthentication, upstream: UpstreamDispatcher,
        registrations: any RegistrationStore, groups: any DeviceGroupStore, clock: any WallClock, sealing: Sealing
    ) {
        self.senders = senders
        self.upstream = upstream
        sender = SingleMessageSender(
            pipeline: pipeline, registrations: registrations, groups: groups, clock: clock, sealing: sealing)
        random = sealing.random
    }
}
