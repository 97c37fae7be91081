package import FirebasePlatform

/// The values of `FirebaseOptions`, as one Sendable value.
package struct OptionsValues: Sendable, Hashable {
    package var googleAppID = ""
    package var gcmSenderID = ""
    package var bundleID = ""
    package var apiKey: String?
    package var clientID: String?
    package var projectID: String?
    package var databaseURL: String?
    package var storageBucket: String?
    package var appGroupID: String?
    package var serverURL: String?
    package var directChannel: String?
    package var retired = RetiredOptions()

    package init() {}

    /// Reads the dictionary of a `GoogleService-Info.plist`. Keys that say nothing about messaging are skipped, and so
    /// is `IS_GCM_ENABLED`: old files carry it as text, newer ones not at all.
    package init(plist: [String: PlistValue]) {
        func text(_ key: String) -> String? {
            guard let value = plist[key] else { return nil }
            if case .integer(let number) = value { return String(number) }
            return value.string
        }
        googleAppID = text("GOOGLE_APP_ID") ?? ""
        gcmSenderID = text("GCM_SENDER_ID") ?? ""
        bundleID = text("BUNDLE_ID") ?? ""
        apiKey = text("API_KEY")
        clientID = text("CLIENT_ID")
        projectID = text("PROJECT_ID")
        databaseURL = text("DATABASE_URL")
        storageBucket = text("STORAGE_BUCKET")
        retired.trackingID = text("TRACKING_ID")
        retired.androidClientID = text("ANDROID_CLIENT_ID")
        serverURL = text("PHAROS_SERVER_URL")
        directChannel = text("PHAROS_DIRECT_CHANNEL")
    }

    /// What stands for the project in request paths: old configuration files name only the sender. `nil` when neither
    /// is known, so that no path ever holds an empty segment.
    package var projectPathSegment: String? {
        if let projectID, !projectID.isEmpty { return projectID }
        return gcmSenderID.isEmpty ? nil : gcmSenderID
    }
}
