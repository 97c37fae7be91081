import FirebasePlatform

/// What the analytics module is told about a message. Nothing at all unless the message carries the text `1` under
/// `google.c.a.e`.
enum MessageAnalytics {
    static let origin = "fcm"

    static func report(_ message: ReceivedMessage, state: AppState, to sink: any AnalyticsSink) {
        guard allows(message) else { return }
        switch state {
        case .active:
            sink.logEvent(origin: origin, name: "_nf", parameters: parameters(of: message))
        case .inactive, .background:
            guard message.hasAlert else { return }
            reportConversion(message, to: sink)
            sink.logEvent(origin: origin, name: "_no", parameters: parameters(of: message))
        case .absent: break
        }
    }

    static func allows(_ message: ReceivedMessage) -> Bool { message.text("google.c.a.e") == "1" }

    /// A campaign that counts conversions: later events of the user are put down to it.
    private static func reportConversion(_ message: ReceivedMessage, to sink: any AnalyticsSink) {
        guard message.payload["google.c.a.tc"]?.wholeNumber == 1, let campaign = nonEmpty(message, "google.c.a.c_id")
        else { return }
        sink.setUserProperty(origin: origin, name: "_ln", value: campaign)
        sink.logEvent(
            origin: origin, name: "_cmp",
            parameters: [
                "source": .string("Firebase"), "medium": .string("notification"), "campaign": .string(campaign),
            ])
    }

    private static func parameters(of message: ReceivedMessage) -> [String: PayloadValue] {
        var parameters: [String: PayloadValue] = [:]
        for (name, key) in [("_nmid", "google.c.a.c_id"), ("_nmn", "google.c.a.c_l"), ("label", "google.c.a.m_l")] {
            if let text = nonEmpty(message, key) { parameters[name] = .string(text) }
        }
        if let from = message.text("from"), from.contains("/topics/") { parameters["_nt"] = .string(from) }
        if let time = message.payload["google.c.a.ts"]?.wholeNumber, time != 0 { parameters["_nmt"] = .integer(time) }
        if let deviceTime = message.payload["google.c.a.udt"] { parameters["_ndt"] = deviceTime }
        return parameters
    }

    private static func nonEmpty(_ message: ReceivedMessage, _ key: String) -> String? {
        message.text(key).flatMap { $0.isEmpty ? nil : $0 }
    }
}
