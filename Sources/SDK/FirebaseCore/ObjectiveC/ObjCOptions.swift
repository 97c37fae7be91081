#if canImport(ObjectiveC)
    public import Foundation

    /// `FirebaseOptions` for Objective-C.
    @objc(FIROptions)
    public final class ObjCOptions: NSObject, NSCopying {
        let options: FirebaseOptions

        init(_ options: FirebaseOptions) {
            self.options = options
        }

        @objc
        public static func defaultOptions() -> ObjCOptions? { FirebaseOptions.defaultOptions().map(ObjCOptions.init) }

        @objc(initWithContentsOfFile:)
        public init?(contentsOfFile path: String) {
            guard let options = FirebaseOptions(contentsOfFile: path) else { return nil }
            self.options = options
        }

        @objc(initWithGoogleAppID:GCMSenderID:)
        public init(googleAppID: String, gcmSenderID: String) {
            options = FirebaseOptions(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
        }

        /// The labels spell the selector: the compiler makes it from them.
        @available(*, deprecated)
        @objc
        public init(
            googleAppID: String, bundleID: String?, GCMSenderID gcmSenderID: String, APIKey apiKey: String?,
            clientID: String?, trackingID: String?, androidClientID: String?, databaseURL: String?,
            storageBucket: String?, deepLinkURLScheme: String?
        ) {
            options = FirebaseOptions(
                googleAppID: googleAppID, bundleID: bundleID, gcmSenderID: gcmSenderID, apiKey: apiKey,
                clientID: clientID, trackingID: trackingID, androidClientID: androidClientID, databaseURL: databaseURL,
                storageBucket: storageBucket, deepLinkURLScheme: deepLinkURLScheme)
        }

        @objc(copyWithZone:)
        public func copy(with zone: NSZone? = nil) -> Any { ObjCOptions(options.copy()) }
    }

    extension ObjCOptions {
        @objc(APIKey)
        public var apiKey: String? {
            @objc(APIKey) get { options.apiKey }
            @objc(setAPIKey:) set { options.apiKey = newValue }
        }

        @objc public var bundleID: String {
            get { options.bundleID }
            set { options.bundleID = newValue }
        }

        @objc public var clientID: String? {
            get { options.clientID }
            set { options.clientID = newValue }
        }

        @objc(GCMSenderID)
        public var gcmSenderID: String {
            @objc(GCMSenderID) get { options.gcmSenderID }
            @objc(setGCMSenderID:) set { options.gcmSenderID = newValue }
        }

        @objc public var projectID: String? {
            get { options.projectID }
            set { options.projectID = newValue }
        }

        @objc public var googleAppID: String {
            get { options.googleAppID }
            set { options.googleAppID = newValue }
        }

        @objc public var databaseURL: String? {
            get { options.databaseURL }
            set { options.databaseURL = newValue }
        }

        @objc public var storageBucket: String? {
            get { options.storageBucket }
            set { options.storageBucket = newValue }
        }

        @objc public var appGroupID: String? {
            get { options.appGroupID }
            set { options.appGroupID = newValue }
        }

        @objc public var serverURL: String? {
            get { options.serverURL }
            set { options.serverURL = newValue }
        }

        @objc public var directChannel: String? {
            get { options.directChannel }
            set { options.directChannel = newValue }
        }
    }
#endif
