public import Timekeeping

/// A message translated for browsers, not encrypted yet. It is the same for every browser.
public struct BrowserPush: Sendable, Equatable {
    /// The JSON that the web app's service worker gets.
    public var payload: [UInt8]
    /// How much the push may cost the device's battery: `very-low`, `low`, `normal` or `high`; `nil` leaves it to the
    /// push service. Source: RFC 8030 §5.3.
    public var urgency: String?
    /// A waiting push of the same topic is replaced by this one: at most 32 characters of base64url.
    /// Source: RFC 8030 §5.4.
    public var topic: String?
    /// When the push may no longer be tried, nor kept by the push service.
    public var expiresAt: Timestamp
    /// Whether it is for the moment only: a push service that cannot reach the browser at once drops it.
    public var isOnlyForNow: Bool

    public init(payload: [UInt8], urgency: String?, topic: String?, expiresAt: Timestamp, isOnlyForNow: Bool) {
        self.payload = payload
        self.urgency = urgency
        self.topic = topic
        self.expiresAt = expiresAt
        self.isOnlyForNow = isOnlyForNow
    }
}

/// Where a browser is reached and how to encrypt for it: what `Registration.Channel.web` holds.
public struct BrowserAddress: Sendable, Hashable {
    /// The URL of the subscription at its push service.
    public var endpoint: String
    /// The browser's public key, base64url.
    public var p256dh: String
    /// The secret that both share, base64url.
    public var auth: String
    /// The application server key that the browser subscribed with, base64url.
    public var applicationKey: String

    public init(endpoint: String, p256dh: String, auth: String, applicationKey: String) {
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
        self.applicationKey = applicationKey
    }

    /// `nil` for a registration that is no browser's.
    public init?(_ channel: Registration.Channel) {
        guard case .web(let endpoint, let p256dh, let auth, let applicationKey) = channel else { return nil }
        self.init(endpoint: endpoint, p256dh: p256dh, auth: auth, applicationKey: applicationKey)
    }
}
