import FirebasePlatform

/// What an app reports of one message.
///
/// Source: `messaging_client_event.proto` of the official SDKs.
struct MessageEvent: Sendable, Hashable {
    /// The first two numbers are those of the official SDKs.
    enum Kind: Int64, Sendable {
        case delivered = 1
        case opened = 2
        /// Told to Pharos only: the app got the notification while it was in the foreground.
        case receivedInForeground = 101
        /// Told to Pharos only: the user put the notification away.
        case dismissed = 102
    }

    enum MessageType: Int64, Sendable {
        case data = 1
        case display = 3
    }

    /// A name that the server writes into every payload is not there.
    struct Missing: Error, Hashable {
        var key: String
    }

    var kind: Kind
    var projectNumber: Int64
    var messageID: String
    var installationID: String
    var messageType: MessageType
    /// The bundle id of the app, not that of its extension.
    var packageName: String
    var topic: String?
    var analyticsLabel: String?
    var campaignID: Int64?
    var composerLabel: String?
    /// The product that the report is put down to; Google's servers write it into payloads.
    var productID: Int32?

    init(_ kind: Kind, of message: ReceivedMessage, appInfo: any AppInfo) throws(Missing) {
        self.kind = kind
        guard let project = message.payload["google.c.sender.id"]?.wholeNumber, project > 0 else {
            throw Missing(key: "google.c.sender.id")
        }
        guard let id = message.text("gcm.message_id"), !id.isEmpty else { throw Missing(key: "gcm.message_id") }
        guard let installation = message.text("google.c.fid"), !installation.isEmpty else {
            throw Missing(key: "google.c.fid")
        }
        projectNumber = project
        messageID = id
        installationID = installation
        messageType = message.isContentAvailable && !appInfo.isExtension ? .data : .display
        packageName = Self.appBundleID(appInfo)
        topic = message.text("from").flatMap { $0.contains("/topics/") ? $0 : nil }
        analyticsLabel = Self.nonEmpty(message, "google.c.a.m_l")
        campaignID = message.payload["google.c.a.c_id"]?.wholeNumber
        composerLabel = Self.nonEmpty(message, "google.c.a.c_l")
        productID = message.payload["google.product_id"]?.wholeNumber.flatMap(Int32.init(exactly:))
    }

    private static func nonEmpty(_ message: ReceivedMessage, _ key: String) -> String? {
        message.text(key).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func appBundleID(_ info: any AppInfo) -> String {
        guard info.isExtension || info.isWatchExtension, let dot = info.bundleID.lastIndex(of: ".") else {
            return info.bundleID
        }
        return String(info.bundleID[..<dot])
    }
}
