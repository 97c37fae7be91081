/// Why an operation of the cryptographic library failed.
public enum CryptoError: Error, Equatable, Sendable {
    /// A ciphertext, key or nonce of the wrong length.
    case wrongLength
    /// The authentication tag does not fit: another key, or changed data.
    case authenticationFailed
    /// The library refused; its reason in English.
    case library(String)
}

/// Why a text or file is not the key or certificate that was asked for. The description is for people.
public enum KeyError: Error, Equatable, Sendable {
    case empty, tooLarge, notPEM, missingEndLine, notBase64, encrypted
    /// A certificate stands where a private key belongs.
    case certificateInsteadOfKey
    case publicKeyInsteadOfPrivateKey
    case privateKeyInsteadOfCertificate
    case wrongAlgorithm(found: String, wanted: String)
    case weakKey(bits: Int)
    /// Base64 is fine, its content is not.
    case damaged(String)
    /// A .p12 file did not open.
    case wrongPassword
    /// Key and certificate do not belong together.
    case mismatch
}

extension KeyError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "The key is empty."
        case .tooLarge: "The text is too large to be a key."
        case .notPEM: "The text is neither PEM (-----BEGIN …-----) nor base64."
        case .missingEndLine: "The -----END …----- line is missing: the key was cut off."
        case .notBase64: "Between the BEGIN and END lines stands something that is not base64."
        case .encrypted: "The private key is encrypted. Decrypt it first: openssl pkey -in key.pem -out plain.pem."
        case .certificateInsteadOfKey: "This is a certificate, not a private key."
        case .publicKeyInsteadOfPrivateKey: "This is a public key, not a private key."
        case .privateKeyInsteadOfCertificate: "This is a private key, not a certificate."
        case .wrongAlgorithm(let found, let wanted): "This is a key of kind \(found); \(wanted) is needed."
        case .weakKey(let bits): "An RSA key of \(bits) bits is outside of the 2048 to 8192 bits that are accepted."
        case .damaged(let what): "The \(what) is damaged or incomplete."
        case .wrongPassword: "The password does not open the file."
        case .mismatch: "The private key does not belong to the certificate."
        }
    }
}
