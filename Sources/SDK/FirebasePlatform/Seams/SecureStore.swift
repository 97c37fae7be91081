/// Names one secret. On Apple: a generic password with these attributes.
public struct SecureItemKey: Hashable, Sendable {
    /// `kSecAttrGeneric`: the family of the item.
    public var generic: String
    public var service: String
    public var account: String

    public init(generic: String, service: String, account: String) {
        self.generic = generic
        self.service = service
        self.account = account
    }
}

/// A store failed, for example a keychain before the first unlock.
public struct SecureStoreError: CodedError, Hashable {
    /// The domain that keychain failures of messaging carry.
    public static let errorDomain = "com.google.iid"
    /// `OSStatus` on Apple.
    public var status: Int
    /// The status of a keychain that the app has no entitlement for.
    public static let missingEntitlement = SecureStoreError(status: -34018)
    /// The status of a keychain that is still locked.
    public static let interactionNotAllowed = SecureStoreError(status: -25308)

    public init(status: Int) {
        self.status = status
    }

    public var errorCode: Int { status }
    public var failureReason: String? { "The secure store answered \(status)." }
}

/// Small secrets: readable after the first unlock, bound to this device, never in a backup, and alive after the app
/// is deleted and installed again.
public protocol SecureStore: Sendable {
    /// - Returns: `nil` when there is no such item.
    func read(_ key: SecureItemKey) throws(SecureStoreError) -> [UInt8]?
    /// Replaces the item or makes it.
    func write(_ bytes: [UInt8], for key: SecureItemKey) throws(SecureStoreError)
    /// Removing what is not there is a success.
    func remove(_ key: SecureItemKey) throws(SecureStoreError)
    /// Every service of one family and account.
    func services(generic: String, account: String) throws(SecureStoreError) -> [String]
}
