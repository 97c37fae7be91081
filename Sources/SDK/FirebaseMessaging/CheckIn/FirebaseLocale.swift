import FirebasePlatform

/// The language the device registers with: the user's first language that the service speaks, else English.
struct FirebaseLocale: Sendable {
    private static let key = "com.firebase.instanceid.user_defaults.locale"
    private let platform: Platform

    init(_ platform: Platform) {
        self.platform = platform
    }

    var current: String { Self.match(platform.device.preferredLanguages) }

    /// The one of the latest registration, `nil` before the first.
    var stored: String? { platform.defaults.value(Self.key)?.string }

    func store() {
        platform.defaults.set(.string(current), for: Self.key)
    }

    static func match(_ languages: [String]) -> String {
        for language in languages {
            let tag = language.replacing("-", with: "_").lowercased()
            if let exact = table[tag] { return exact }
            let parts = tag.split(separator: "_")
            // Language with script, or with region, then the language alone.
            for part in parts.dropFirst() {
                if let match = parts.first.flatMap({ table["\($0)_\(part)"] }) { return match }
            }
            if let match = parts.first.flatMap({ table[String($0)] }) { return match }
        }
        return "en"
    }

    private static let names = [
        "sq", "be", "bg", "ca", "hr", "cs", "da", "et", "fi", "he", "hi", "hu", "is", "id", "ga", "ko", "lv", "lt",
        "mk", "ms", "mt", "pl", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi", "ar", "zh_Hans", "zh_Hant", "nl", "en",
        "fr", "de", "el", "it", "ja", "no", "pt_BR", "pt_PT", "sr", "es_ES", "es_MX", "es_419", "th", "en_GB", "en_AU",
        "fr_CA",
    ]

    /// Lower-case tag to the name on the wire, with the spellings that mean the same.
    private static let table: [String: String] = {
        var table = Dictionary(uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
        let aliases = [
            "iw": "he", "in": "id", "nb": "no", "nn": "no", "zh": "zh_Hans", "zh_cn": "zh_Hans", "zh_sg": "zh_Hans",
            "zh_tw": "zh_Hant", "zh_hk": "zh_Hant", "zh_mo": "zh_Hant", "pt": "pt_PT", "es": "es_ES",
        ]
        table.merge(aliases) { first, _ in first }
        return table
    }()
}
