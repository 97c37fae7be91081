/// A push that passed every check.
public struct JudgedPush: Sendable, Equatable {
    /// `apns-id`: the sender's or a new one.
    public var id: String
    /// Device token, lower-case hexadecimal.
    public var token: String
    public var topic: String
    public var type: PushType
    /// 10, 5 or 1.
    public var priority: Int
    public var expiration: PushExpiration
    public var collapseID: String?
    /// All request headers but `authorization`, names in lower case.
    public var headers: [String: String]
    /// The JSON body.
    public var payload: [UInt8]

    public init(
        id: String, token: String, topic: String, type: PushType = .alert, priority: Int = 10,
        expiration: PushExpiration = .unspecified, collapseID: String? = nil, headers: [String: String] = [:],
        payload: [UInt8]
    ) {
        self.id = id
        self.token = token
        self.topic = topic
        self.type = type
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.headers = headers
        self.payload = payload
    }
}
