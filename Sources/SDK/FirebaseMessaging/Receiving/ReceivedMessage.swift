import FirebasePlatform

/// What the SDK reads of a message. Every value is checked for its type: payloads come from outside.
struct ReceivedMessage: Sendable {
    let payload: [String: PayloadValue]

    init(_ userInfo: [AnyHashable: Any]) {
        payload = PayloadValue.entries(userInfo)
    }

    /// `gcm.message_id`. Older servers and tests of apps write numbers.
    var id: String? {
        switch payload["gcm.message_id"] {
        case .string(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }

    /// `gcm.ttl`. Unit: seconds; `nil` when there is none or it makes no sense.
    var timeToLiveSeconds: Int64? {
        payload["gcm.ttl"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
    }

    private var aps: [String: PayloadValue]? { payload["aps"]?.dictionary }

    var isContentAvailable: Bool { aps?["content-available"]?.isTrue ?? false }

    /// Whether the system shows it: a non-empty text, or a dictionary with something in it.
    var hasAlert: Bool {
        switch aps?["alert"] {
        case .string(let text): !text.isEmpty
        case .dictionary(let entries): !entries.isEmpty
        default: false
        }
    }

    /// `gcm.app_link`.
    var link: String? { payload["gcm.app_link"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    func text(_ key: String) -> String? { payload[key]?.string }
}
