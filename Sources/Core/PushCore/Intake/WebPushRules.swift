import PushModel

/// Values of `WebpushConfig` beyond their types. Sources: FCM HTTP v1 reference; RFC 8030 §5.2 and §5.3.
enum WebPushRules {
    static func check(_ options: WebPushOptions) throws(SendError) {
        if let link = options.link, !link.isEmpty, !isSecure(link) {
            throw .invalid("message.webpush.fcm_options.link", "The link must be an HTTPS URL.")
        }
        for header in options.headers { try check(header) }
    }

    private static func isSecure(_ link: String) -> Bool {
        let scheme = "https://"
        return link.utf8.count > scheme.utf8.count && link.prefix(scheme.count).lowercased() == scheme
    }

    private static func check(_ header: Message.DataEntry) throws(SendError) {
        switch header.key {
        case "ttl":
            let seconds = header.value.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(header.value) : nil
            guard let seconds, TimeToLive(seconds: seconds) != nil else {
                throw .timeToLiveOutOfRange(at: "message.webpush.headers")
            }
        case "urgency":
            guard ["very-low", "low", "normal", "high"].contains(header.value) else {
                throw .invalid(
                    "message.webpush.headers", "Invalid urgency: it must be very-low, low, normal or high.")
            }
        default: return
        }
    }
}
