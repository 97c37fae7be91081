import FirebasePlatform

/// What a status of the keychain means.
enum KeychainOutcome {
    static let success: Int32 = 0
    static let duplicateItem: Int32 = -25299
    static let itemNotFound: Int32 = -25300

    /// - Returns: Whether the item is there.
    /// - Throws: `SecureStoreError` for every status that says neither: a keychain before the first unlock, or one the
    ///   app has no entitlement for. What is stored is then unknown, which is not the same as nothing.
    static func isFound(_ status: Int32) throws(SecureStoreError) -> Bool {
        switch status {
        case success: return true
        case itemNotFound: return false
        default: throw SecureStoreError(status: Int(status))
        }
    }
}
