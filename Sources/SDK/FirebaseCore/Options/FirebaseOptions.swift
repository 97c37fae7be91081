import FirebasePlatform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an app needs to know about its project: usually the content of `GoogleService-Info.plist`.
///
/// `FirebaseApp` takes a copy when it is configured; later changes to this object reach no app.
public final class FirebaseOptions: Sendable {
    private let storage: Mutex<OptionsValues>

    package init(values: OptionsValues) {
        storage = Mutex(values)
    }

    /// Options for an app without a configuration file. Set `apiKey` and `projectID` too: messaging needs them.
    public convenience init(googleAppID: String, gcmSenderID: String) {
        var values = OptionsValues()
        values.googleAppID = googleAppID
        values.gcmSenderID = gcmSenderID
        self.init(values: values)
    }

    /// Reads a configuration file. `nil` when it cannot be read or is no property list.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(plist: Array(data))
    }

    /// Reads the bytes of a configuration file. `nil` when they are no property list.
    public convenience init?(plist bytes: [UInt8]) {
        guard let dictionary = PlistValue.dictionary(parsing: bytes) else { return nil }
        self.init(values: OptionsValues(plist: dictionary))
    }

    /// The options of the main bundle's `GoogleService-Info.plist`, `nil` without one.
    public static func defaultOptions() -> FirebaseOptions? {
        FirebaseContainer.current?.platform.appInfo.configurationPlist().flatMap(FirebaseOptions.init(plist:))
    }

    package var values: OptionsValues { storage.withLock { $0 } }

    func change(_ work: (inout OptionsValues) -> Void) { storage.withLock { work(&$0) } }

    package func copy() -> FirebaseOptions { FirebaseOptions(values: values) }
}

extension FirebaseOptions {
    /// 39 characters, the first one `A`.
    public var apiKey: String? {
        get { values.apiKey }
        set { storage.withLock { $0.apiKey = newValue } }
    }

    public var bundleID: String {
        get { values.bundleID }
        set { storage.withLock { $0.bundleID = newValue } }
    }

    public var clientID: String? {
        get { values.clientID }
        set { storage.withLock { $0.clientID = newValue } }
    }

    /// The project number, in decimal.
    public var gcmSenderID: String {
        get { values.gcmSenderID }
        set { storage.withLock { $0.gcmSenderID = newValue } }
    }

    public var projectID: String? {
        get { values.projectID }
        set { storage.withLock { $0.projectID = newValue } }
    }

    /// `1:<project number>:ios:<hex>`.
    public var googleAppID: String {
        get { values.googleAppID }
        set { storage.withLock { $0.googleAppID = newValue } }
    }

    public var databaseURL: String? {
        get { values.databaseURL }
        set { storage.withLock { $0.databaseURL = newValue } }
    }

    public var storageBucket: String? {
        get { values.storageBucket }
        set { storage.withLock { $0.storageBucket = newValue } }
    }

    /// The app group whose extensions share the installation.
    public var appGroupID: String? {
        get { values.appGroupID }
        set { storage.withLock { $0.appGroupID = newValue } }
    }

    /// Base URL of the server that stands in for Google's hosts (`PHAROS_SERVER_URL`). `nil`: Google's hosts.
    public var serverURL: String? {
        get { values.serverURL }
        set { storage.withLock { $0.serverURL = newValue } }
    }

    /// `host:port` of the direct channel (`PHAROS_DIRECT_CHANNEL`). `nil`: Google's.
    public var directChannel: String? {
        get { values.directChannel }
        set { storage.withLock { $0.directChannel = newValue } }
    }
}
