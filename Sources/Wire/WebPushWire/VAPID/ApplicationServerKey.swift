/// Reads the application server key out of a header field.
public enum ApplicationServerKey {
    /// The value of `p256ecdsa` in `Crypto-Key`, base64url. Source: draft-ietf-webpush-vapid-01 §4.
    public static func inCryptoKey(_ value: String) -> String? {
        HeaderParameters(value)?["p256ecdsa"]
    }
}
