public import JSON
public import PushModel

/// What an app needs to know about its project: `GoogleService-Info.plist` for Apple apps, or the same as JSON;
/// `google-services.json` for Android; what a page gives to `initializeApp`.
///
/// Source: the keys that the official SDK's options check. `PHAROS_SERVER_URL` and `PHAROS_DIRECT_CHANNEL` are ours: the
/// Pharos SDK talks to that server instead of Google's.
public struct AppConfiguration: Sendable {
    public var app: App
    public var project: Project
    /// `http://127.0.0.1:9599`.
    public var serverURL: String
    /// `HOST:PORT` of the device channel; `nil` when there is none.
    public var directChannel: String?
    /// The project's VAPID key in base64url, for pages; `nil` leaves it out.
    public var webPushKey: String?

    public init(
        app: App, project: Project, serverURL: String, directChannel: String?, webPushKey: String? = nil
    ) {
        self.app = app
        self.project = project
        self.serverURL = serverURL
        self.directChannel = directChannel
        self.webPushKey = webPushKey
    }

    private var entries: [(key: String, value: JSONValue)] {
        var entries: [(key: String, value: JSONValue)] = [
            ("API_KEY", .string(app.apiKey)),
            ("BUNDLE_ID", .string(app.bundleID)),
            ("GCM_SENDER_ID", .string(project.number.description)),
            ("GOOGLE_APP_ID", .string(app.id.text)),
            ("IS_ADS_ENABLED", false),
            ("IS_ANALYTICS_ENABLED", false),
            ("IS_APPINVITE_ENABLED", false),
            ("IS_GCM_ENABLED", true),
            ("IS_SIGNIN_ENABLED", false),
            ("PHAROS_SERVER_URL", .string(serverURL)),
            ("PLIST_VERSION", "1"),
            ("PROJECT_ID", .string(project.id.text)),
            ("STORAGE_BUCKET", .string(storageBucket)),
        ]
        if let directChannel { entries.append(("PHAROS_DIRECT_CHANNEL", .string(directChannel))) }
        if let webPushKey, app.id.platform == .web { entries.append(("VAPID_KEY", .string(webPushKey))) }
        return entries.sorted { $0.key < $1.key }
    }

    /// The property list's keys and values as JSON.
    public var json: JSONObject { JSONObject(entries.map { ($0.key, $0.value) }) }

    /// The property list in XML.
    public var plist: [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        for (key, value) in entries {
            text += "\t<key>\(key)</key>\n\t\(Self.element(value))\n"
        }
        return Array((text + "</dict>\n</plist>\n").utf8)
    }

    /// `google-services.json`. Source: the members that the Gradle plugin and FirebaseOptions read.
    public var googleServices: JSONObject {
        var server: JSONObject = ["server_url": .string(serverURL)]
        if let directChannel { server["direct_channel"] = .string(directChannel) }
        return [
            "project_info": [
                "project_number": .string(project.number.description), "project_id": .string(project.id.text),
                "storage_bucket": .string(storageBucket),
            ],
            "client": [
                [
                    "client_info": [
                        "mobilesdk_app_id": .string(app.id.text),
                        "android_client_info": ["package_name": .string(app.bundleID)],
                    ],
                    "oauth_client": [], "api_key": [["current_key": .string(app.apiKey)]],
                    "services": ["appinvite_service": ["other_platform_oauth_client": []]],
                ]
            ],
            "configuration_version": "1", "pharos": .object(server),
        ]
    }

    /// The options of `initializeApp`, and the key that `getToken` takes as `vapidKey`.
    public var webOptions: JSONObject {
        var options: JSONObject = [
            "apiKey": .string(app.apiKey), "projectId": .string(project.id.text),
            "messagingSenderId": .string(project.number.description), "appId": .string(app.id.text),
            "storageBucket": .string(storageBucket), "pharosServerUrl": .string(serverURL),
        ]
        if let webPushKey { options["vapidKey"] = .string(webPushKey) }
        return options
    }

    private var storageBucket: String { project.id.text + ".appspot.com" }

    private static func element(_ value: JSONValue) -> String {
        switch value {
        case .bool(let flag): flag ? "<true/>" : "<false/>"
        default: "<string>\(escaped(value.string ?? ""))</string>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
