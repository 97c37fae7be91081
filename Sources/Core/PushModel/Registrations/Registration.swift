public import Timekeeping

/// The store's row number of a registration. Registration tokens carry it, so a look-up needs no index on tokens.
public struct RegistrationID: Hashable, Sendable, Comparable {
    public let value: Int64

    public init(value: Int64) {
        self.value = value
    }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// One app instance that can receive.
public struct Registration: Sendable, Equatable {
    /// How the instance receives.
    public enum Channel: Sendable, Equatable {
        /// An Apple app; the address is absent until the app knows its APNs token.
        case apple(APNsAddress?)
        /// An Android app or a browser's own registration on the device channel.
        case device
        /// A browser app: an endpoint and the keys to encrypt for it, base64url.
        case web(endpoint: String, p256dh: String, auth: String, applicationKey: String)
    }

    /// Why a registration receives no more.
    public enum Ending: String, Sendable, Equatable {
        case deletedByApp, installationDeleted, replaced, unregisteredByAPNs, expired
        /// The push service of a browser knows the subscription no more.
        case unregisteredByPushService
    }

    public var id: RegistrationID
    public var project: ProjectNumber
    public var app: AppID?
    /// Empty for registrations without an app instance (the oldest clients).
    public var fid: String
    /// The bundle id or package that registered.
    public var bundleID: String
    public var channel: Channel
    /// Whether the instance registered by FID (then it has no token) or by token.
    public var isFIDMode: Bool
    /// The random part of the token; a token with another one is an earlier token of the same registration.
    public var tokenNonce: UInt64
    /// The device that registered, from check-in; 0 when unknown (FID mode).
    public var androidID: UInt64
    /// Whom the app registered for: a project number, or a browser's application server key. Empty in FID mode.
    public var sender: String
    /// What a browser registered for which of its sites or extensions; goes with each message. Empty for apps.
    public var subtype: String
    public var appVersion: String
    public var sdkVersion: String
    public var createdAt: Timestamp
    /// When the app last confirmed its APNs token. A 410 of APNs counts only if it is not older than this.
    public var confirmedAt: Timestamp
    public var ending: Ending?

    public init(
        id: RegistrationID, project: ProjectNumber, app: AppID?, fid: String, bundleID: String, channel: Channel,
        isFIDMode: Bool, tokenNonce: UInt64, androidID: UInt64, appVersion: String, sdkVersion: String,
        createdAt: Timestamp, confirmedAt: Timestamp, ending: Ending? = nil, sender: String = "", subtype: String = ""
    ) {
        self.id = id
        self.project = project
        self.app = app
        self.fid = fid
        self.bundleID = bundleID
        self.channel = channel
        self.isFIDMode = isFIDMode
        self.tokenNonce = tokenNonce
        self.androidID = androidID
        self.sender = sender
        self.subtype = subtype
        self.appVersion = appVersion
        self.sdkVersion = sdkVersion
        self.createdAt = createdAt
        self.confirmedAt = confirmedAt
        self.ending = ending
    }
}

/// One installation of an app, as Firebase Installations knows it.
public struct Installation: Sendable, Equatable {
    public var fid: FirebaseInstallationID
    public var project: ProjectNumber
    public var app: AppID
    /// SHA-256 of the refresh token.
    public var refreshTokenHash: [UInt8]
    public var sdkVersion: String
    public var createdAt: Timestamp

    public init(
        fid: FirebaseInstallationID, project: ProjectNumber, app: AppID, refreshTokenHash: [UInt8],
        sdkVersion: String, createdAt: Timestamp
    ) {
        self.fid = fid
        self.project = project
        self.app = app
        self.refreshTokenHash = refreshTokenHash
        self.sdkVersion = sdkVersion
        self.createdAt = createdAt
    }
}
