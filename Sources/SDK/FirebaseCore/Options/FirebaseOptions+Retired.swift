/// Options that apps once set for other products. Messaging reads none of them.
extension FirebaseOptions {
    /// Options for an app without a configuration file, as versions 3 and 4 had them.
    @available(*, deprecated, message: "Use init(googleAppID:gcmSenderID:) and set what else is needed.")
    public convenience init(
        googleAppID: String, bundleID: String?, gcmSenderID: String, apiKey: String?, clientID: String?,
        trackingID: String?, androidClientID: String?, databaseURL: String?, storageBucket: String?,
        deepLinkURLScheme: String?
    ) {
        var values = OptionsValues()
        values.googleAppID = googleAppID
        values.bundleID = bundleID ?? ""
        values.gcmSenderID = gcmSenderID
        values.apiKey = apiKey
        values.clientID = clientID
        values.databaseURL = databaseURL
        values.storageBucket = storageBucket
        values.retired = RetiredOptions(
            trackingID: trackingID, androidClientID: androidClientID, deepLinkURLScheme: deepLinkURLScheme)
        self.init(values: values)
    }

    @available(*, deprecated, message: "Nothing reads it.")
    public var trackingID: String? {
        get { values.retired.trackingID }
        set { change { $0.retired.trackingID = newValue } }
    }

    @available(*, deprecated, message: "Nothing reads it.")
    public var androidClientID: String? {
        get { values.retired.androidClientID }
        set { change { $0.retired.androidClientID = newValue } }
    }

    @available(*, deprecated, message: "Nothing reads it.")
    public var deepLinkURLScheme: String? {
        get { values.retired.deepLinkURLScheme }
        set { change { $0.retired.deepLinkURLScheme = newValue } }
    }

    @available(*, deprecated, message: "Nothing reads it.")
    public var recaptchaSiteKey: String? {
        get { values.retired.recaptchaSiteKey }
        set { change { $0.retired.recaptchaSiteKey = newValue } }
    }
}

/// What those options hold.
package struct RetiredOptions: Sendable, Hashable {
    package var trackingID: String?
    package var androidClientID: String?
    package var deepLinkURLScheme: String?
    package var recaptchaSiteKey: String?
}
