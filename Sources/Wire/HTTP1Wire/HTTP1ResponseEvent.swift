public import HTTPSemantics

/// The head of a final answer.
public struct HTTP1ResponseStart: Sendable, Equatable {
    /// 200 to 599, as sent.
    public var status: Int
    public var fields: HTTPFields
    public var body: HTTP1BodyFraming
    /// The server takes another request on this connection.
    public var keepsAlive: Bool

    public init(status: Int, fields: HTTPFields, body: HTTP1BodyFraming, keepsAlive: Bool) {
        self.status = status
        self.fields = fields
        self.body = body
        self.keepsAlive = keepsAlive
    }
}

/// One step of an answer: `head`, any number of `body`, `end`; or `failed`, after which nothing follows.
public enum HTTP1ResponseEvent: Sendable, Equatable {
    case head(HTTP1ResponseStart)
    case body([UInt8])
    case end
    case failed(HTTP1Error)
}
