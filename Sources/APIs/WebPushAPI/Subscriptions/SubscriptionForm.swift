import PushCore
import PushModel
import WebPushWire

/// The members of a subscription as a request brought them, checked.
enum SubscriptionForm {
    /// `nil` when the endpoint is no URL of a push service, or a key is none.
    ///
    /// - Parameter applicationKey: Absent and empty mean the default key.
    static func address(
        endpoint: String?, p256dh: String?, auth: String?, applicationKey: String?
    ) -> BrowserAddress? {
        guard let endpoint, let p256dh, let auth, isEndpoint(endpoint),
            (try? WebPushSubscription(p256dh: p256dh, auth: auth)) != nil
        else { return nil }
        let key = applicationKey.flatMap { $0.isEmpty ? nil : $0 } ?? ClassicRegistrar.defaultBrowserKey
        // Any secret will do: what is asked is whether the key is a point of the curve.
        guard (try? WebPushSubscription(p256dh: key, auth: auth)) != nil else { return nil }
        return BrowserAddress(endpoint: endpoint, p256dh: p256dh, auth: auth, applicationKey: key)
    }

    /// An https URL; or any URL that ends in a token of ours, because clients under test name servers without TLS.
    private static func isEndpoint(_ text: String) -> Bool {
        if PushEndpoint(text) != nil { return true }
        guard text.hasPrefix("http://"), BrowserEndpoints.token(in: text) != nil else { return false }
        return PushEndpoint("https://" + text.dropFirst("http://".count)) != nil
    }
}
