import APNsGateway
import DeviceChannel
import HTTPSemantics
import PushCore
import Telemetry
import Timekeeping
import Transport
import WebPushGateway

/// How one service runs.
struct ServiceSettings {
    var dataDirectory: String
    /// `nil` leaves a listener out.
    var listenHTTP: ListenAddress?
    var listenHTTPS: ListenAddress?
    var listenDevice: ListenAddress?
    var listenXMPP: ListenAddress?
    var listenXMPPTesting: ListenAddress?
    /// A certificate chain and key in PEM; without them the local CA makes a certificate.
    var tlsIdentity: TLSIdentity?
    var loopCount = 2
    var gateway = APNsGatewayConfiguration()
    var deviceSessions = SessionLimits()
    var webPush = WebPushGatewayConfiguration()
    /// How long a send to one device waits for APNs' first answer. Unit: milliseconds.
    var answerPatienceMilliseconds: Int64 = 1000
    /// Messages of one project per minute; `nil` for no limit.
    var messagesPerMinute: Int? = 600_000
    /// Topic subscriptions that one project may change per second; `nil` for no limit.
    var topicChangesPerSecond: Int? = TopicLimits.changesPerSecond
    /// Messages to one device on the device channel; `nil` for no limit.
    var deviceLimits: DeviceMessageLimits? = .init()
    /// Messages that one device may send to app servers in a minute; `nil` for no limit.
    var upstreamMessagesPerMinute: Int? = 1_000
    var limits = MessageLimits()
    /// Whether other machines may read `/metrics`.
    var hasPublicMetrics = false
    /// Whether TLS records of long connections are our own after the handshake.
    var handsOverRecords = true
    /// Whose `X-Forwarded-For` the console believes.
    var trustedProxies = TrustedProxies.none
    /// Names under which the console answers, beside addresses, `localhost` and those of the given certificate.
    var consoleHosts: [String] = []
    /// What the console writes as the server's address into the files for apps and app servers; `nil` for the one
    /// under which the person reached it.
    var publicURL: String?
    var isEmulator = false
    var clock: any WallClock = SystemClock()
    var logger = Logger.silent
    var observers: [any DeliveryObserver] = []
    var faults: (any SendFaults)?
    var loginFaults: DeviceServices.LoginFaults?
}
