/// A message to or from an app: tag 8. Fields that no peer fills are left out; they are skipped when read.
///
/// Source: Chromium `mcs.proto`, `DataMessageStanza`.
public struct DataMessageStanza: Sendable, Equatable {
    public struct AppData: Sendable, Equatable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Field 2.
    public var id = ""
    /// Field 3, required on the wire.
    public var from = ""
    /// Field 4.
    public var to = ""
    /// Field 5, required on the wire.
    public var category = ""
    /// Field 6: the collapse key.
    public var token = ""
    /// Field 7.
    public var appData: [AppData] = []
    /// Field 8.
    public var fromTrustedServer: Bool?
    /// Field 9. Empty is absent.
    public var persistentID = ""
    /// Field 11.
    public var lastStreamIDReceived: Int32?
    /// Field 13.
    public var registrationID = ""
    /// Field 16.
    public var deviceUserID: Int64?
    /// Field 17, seconds.
    public var timeToLive: Int32?
    /// Field 18: Unix milliseconds downstream; upstream seconds of one of two epochs.
    public var sent: Int64?
    /// Field 19, seconds.
    public var queued: Int32?
    /// Field 20.
    public var status: Int64?
    /// Field 21.
    public var rawData: [UInt8]?
    /// Field 24.
    public var immediateAck: Bool?
    /// Field 29: `normalPriority` or `highPriority`.
    public var priority: Int32?

    /// The device may take its time. The numbers are those of APNs, which FCM's own reports use for all platforms.
    public static let normalPriority: Int32 = 5
    /// The device is to be woken.
    public static let highPriority: Int32 = 10

    public init() {}
}
