/// For whom a signed statement may be meant, for this service to take it.
public struct OAuthAudiences: Sendable, Equatable {
    /// Accepted as `aud` of an assertion. Several clients write Google's address whatever the key file says.
    public let tokenURLs: Set<String>
    /// Accepted as `aud` of a self-signed access token, and enough for messaging when that has no scope.
    public let apiURLs: Set<String>
    /// What an error names as the right audience.
    let preferredTokenURL: String

    private static let googleTokenURLs: Set<String> = [
        "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
        "https://accounts.google.com/o/oauth2/token",
    ]
    private static let googleAPIURLs: Set<String> = [
        "https://fcm.googleapis.com/", "https://iid.googleapis.com/", "https://fcmdata.googleapis.com/",
        "https://firebase.googleapis.com/",
    ]

    /// - Parameter serverURLs: The addresses under which clients know this service, without a slash at the end:
    ///   `https://push.example.com`, `http://127.0.0.1:9599`. The first is the preferred one.
    public init(serverURLs: [String]) {
        let endpoints = serverURLs.flatMap { server in
            ["/token", "/oauth2/v4/token", "/o/oauth2/token"].map { server + $0 }
        }
        tokenURLs = Self.googleTokenURLs.union(endpoints)
        apiURLs = Self.googleAPIURLs.union(serverURLs).union(serverURLs.map { $0 + "/" })
        preferredTokenURL = endpoints.first ?? "https://oauth2.googleapis.com/token"
    }
}
