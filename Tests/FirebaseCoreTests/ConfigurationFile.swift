/// A configuration file as text, with some keys left out or changed.
struct ConfigurationFile {
    static let apiKey = "AIzaSyA0123456789abcdefghijklmnopqrstuv"
    static let appID = "1:123456789012:ios:0123456789abcdef"

    private var entries: [(String, String)] = [
        ("API_KEY", "<string>\(apiKey)</string>"), ("GCM_SENDER_ID", "<string>123456789012</string>"),
        ("PLIST_VERSION", "<string>1</string>"), ("BUNDLE_ID", "<string>com.example.pushdemo</string>"),
        ("PROJECT_ID", "<string>demo-pharos</string>"),
        ("STORAGE_BUCKET", "<string>demo-pharos.appspot.com</string>"), ("IS_ADS_ENABLED", "<false/>"),
        ("IS_GCM_ENABLED", "<true/>"), ("GOOGLE_APP_ID", "<string>\(appID)</string>"),
    ]

    func without(_ key: String) -> Self {
        var file = self
        file.entries.removeAll { $0.0 == key }
        return file
    }

    func with(_ key: String, _ xml: String) -> Self {
        var file = without(key)
        file.entries.append((key, xml))
        return file
    }

    func withText(_ key: String, _ text: String) -> Self { with(key, "<string>\(text)</string>") }

    var bytes: [UInt8] {
        let body = entries.map { "<key>\($0.0)</key>\($0.1)" }.joined(separator: "\n")
        return Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>\(body)</dict></plist>
            """.utf8)
    }
}
