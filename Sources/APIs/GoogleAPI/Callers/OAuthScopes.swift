/// What an access token may be used for. Each scope that clients of push APIs ask for has its bit.
public struct OAuthScopes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static let cloudPlatform = OAuthScopes(rawValue: 1 << 0)
    public static let firebaseMessaging = OAuthScopes(rawValue: 1 << 1)
    /// `firebase` or `firebase.readonly` and the like: the management APIs.
    public static let firebase = OAuthScopes(rawValue: 1 << 2)
    /// Scopes that the Admin SDKs always ask for and that open nothing here.
    public static let others = OAuthScopes(rawValue: 1 << 3)

    private static let prefix = "https://www.googleapis.com/auth/"
    private static let known: [String: OAuthScopes] = [
        "cloud-platform": .cloudPlatform, "firebase.messaging": .firebaseMessaging, "firebase": .firebase,
        "firebase.readonly": .firebase, "firebase.database": .others, "datastore": .others,
        "devstorage.read_write": .others, "devstorage.full_control": .others, "identitytoolkit": .others,
        "userinfo.email": .others, "cloud-platform.read-only": .others,
    ]

    /// - Parameter list: Scope URLs with blanks or commas between them. Unknown ones are left out.
    public init(list: some StringProtocol) {
        self = []
        for scope in list.split(whereSeparator: { $0 == " " || $0 == "," }) where scope.hasPrefix(Self.prefix) {
            formUnion(Self.known[String(scope.dropFirst(Self.prefix.count))] ?? [])
        }
    }

    /// The scope URLs that have a meaning here.
    public var urls: [String] {
        let names: [(OAuthScopes, String)] = [
            (.cloudPlatform, "cloud-platform"), (.firebaseMessaging, "firebase.messaging"), (.firebase, "firebase"),
        ]
        return names.filter { contains($0.0) }.map { Self.prefix + $0.1 }
    }

    /// What sending and topic subscriptions ask for: one of these.
    public static let messaging: OAuthScopes = [.cloudPlatform, .firebaseMessaging]
}
