import FirebaseCore
import FirebasePlatform

/// Told once when the direct channel is up, or why it is not.
@available(*, deprecated, message: "Use shouldEstablishDirectChannel instead.")
public typealias MessagingConnectCompletion = ((any Error)?) -> Void

extension Messaging {
    /// Whether the SDK keeps the direct channel up by itself: while the app is in the foreground and registered.
    /// Not kept across launches.
    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    public var shouldEstablishDirectChannel: Bool {
        get { core?.managesDirectChannel ?? false }
        set { core?.setManagesDirectChannel(newValue) }
    }

    /// Whether the direct channel is up and signed in.
    @available(*, deprecated, message: "Google's servers have no direct channel any more; Pharos has.")
    public var isDirectChannelEstablished: Bool { core?.directChannel.isUp ?? false }

    /// Brings the direct channel up and keeps it up until `disconnect()`, in the background too.
    ///
    /// - Parameter handler: Called once on main: without an error when the channel is up; with 2001 when it was already,
    ///   with 501 when the device has not checked in yet (the channel follows when it has), with 4 without a network.
    @available(*, deprecated, message: "Use shouldEstablishDirectChannel instead.")
    public func connect(handler: @escaping ((any Error)?) -> Void) {
        let callback = MainCallback(handler)
        guard let core else {
            let failure = failure
            return onMain { callback(failure) }
        }
        core.directChannel.handle(
            .want { [self] error in
                onMain { callback(error) }
            })
    }

    /// Takes the direct channel down, and does not try again.
    @available(*, deprecated, message: "Use shouldEstablishDirectChannel instead.")
    public func disconnect() {
        core?.directChannel.handle(.unwant)
    }

    /// Sends a message to the app's server. It waits for the direct channel, across launches, until its time to live
    /// is over; a notification tells how it ended.
    ///
    /// - Parameters:
    ///   - message: Texts, numbers, and `Data` under `rawData`; other values are left out. Keys and values have at most
    ///     4096 characters together.
    ///   - receiver: `<sender id>@gcm.googleapis.com`, or the key of a device group.
    ///   - messageID: Unique within the app: notifications name it.
    ///   - ttl: Unit: seconds. 0 is now or never, and nobody is told of a success; more than a day and less than 0 are a
    ///     day.
    @available(*, deprecated, message: "Google's servers take no messages from apps any more; Pharos does.")
    public func sendMessage(
        _ message: [AnyHashable: Any], to receiver: String, withMessageID messageID: String, timeToLive ttl: Int64
    ) {
        core?.send(message, to: receiver, messageID: messageID, timeToLive: ttl)
    }

    /// Whether messages of the direct channel went to the delegate on systems before iOS 10. On the systems of today
    /// they always do; the value is kept and changes nothing.
    ///
    /// Precedence: what was set here, then Info.plist `FirebaseMessagingUseMessagingDelegateForDirectChannel`, then
    /// false.
    public var useMessagingDelegateForDirectChannel: Bool {
        get {
            guard let platform = core?.platform else { return false }
            return platform.defaults.value(Self.useDelegateKey)?.flag
                ?? platform.appInfo.infoValue("FirebaseMessagingUseMessagingDelegateForDirectChannel")?.lenientFlag
                ?? false
        }
        set { core?.platform.defaults.set(.bool(newValue), for: Self.useDelegateKey) }
    }

    private static let useDelegateKey = "com.firebase.messaging.useMessagingDelegate"

    /// The name of `delegate` in version 1.
    @available(*, deprecated, renamed: "delegate")
    public weak var remoteMessageDelegate: (any MessagingDelegate)? {
        get { delegate }
        set { delegate = newValue }
    }
}
