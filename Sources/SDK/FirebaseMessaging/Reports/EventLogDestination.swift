import FirebaseCore
import FirebasePlatform

/// Where events are uploaded.
struct EventLogDestination: Sendable, Hashable {
    var url: String
    var apiKey: String?

    /// That of the configured app. An extension configures none: then what its configuration file says, then
    /// `PHAROS_SERVER_URL` in its Info.plist, then Google.
    init(_ container: FirebaseContainer) {
        if let app = container.app {
            self.init(url: app.endpoints.eventLog, apiKey: app.optionsValues.apiKey)
            return
        }
        let info = container.platform.appInfo
        var values = info.configurationPlist().flatMap(FirebaseOptions.init(plist:))?.values ?? OptionsValues()
        values.serverURL = values.serverURL ?? info.infoValue("PHAROS_SERVER_URL")?.string
        let endpoints = (try? Endpoints(serverURL: values.serverURL, directChannel: nil)) ?? .google
        self.init(url: endpoints.eventLog, apiKey: values.apiKey)
    }

    init(url: String, apiKey: String?) {
        self.url = url
        self.apiKey = apiKey.flatMap { $0.isEmpty ? nil : $0 }
    }
}
