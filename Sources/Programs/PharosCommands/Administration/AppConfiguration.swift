import JSON
import PushModel

/// What an app needs to know about its project: `GoogleService-Info.plist` for Apple apps, or the same as JSON.
///
/// Source: the keys that the official SDK's options check. `PHAROS_SERVER_URL` and `PHAROS_DIRECT_CHANNEL` are ours: the
/// Pharos SDK talks to that server instead of Google's.
struct AppConfiguration {
    var app: App
    var project: Project
    /// `http://127.0.0.1:9599`.
    var serverURL: String
    /// `HOST:PORT` of the device channel; `nil` when there is none.
    var directChannel: String?

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
            ("STORAGE_BUCKET", .string(project.id.text + ".appspot.com")),
        ]
        if let directChannel { entries.append(("PHAROS_DIRECT_CHANNEL", .string(directChannel))) }
        return entries.sorted { $0.key < $1.key }
    }

    var json: JSONObject { JSONObject(entries.map { ($0.key, $0.value) }) }

    /// The property list in XML.
    var plist: [UInt8] {
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
