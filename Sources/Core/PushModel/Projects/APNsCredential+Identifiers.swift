extension APNsCredential {
    /// Whether a text can be Apple's id of a key or of a team: 10 capital letters and digits.
    public static func isAppleIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { $0.isUppercaseLetter || $0.isDigit }
    }

    /// Apple's id of a signing key; `nil` for a certificate.
    public var keyID: String? {
        if case .signingKey(_, let keyID, _) = kind { keyID } else { nil }
    }
}
