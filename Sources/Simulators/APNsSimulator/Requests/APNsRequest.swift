public import HTTPSemantics

/// One request as it came over HTTP/2: the pseudo-headers apart, all other fields in the order of the wire.
public struct APNsRequest: Sendable, Equatable {
    public var method: String
    /// `:path`, undecoded: `/3/device/…`.
    public var path: String
    /// `:authority`, or `host` when that is missing.
    public var authority: String
    public var fields: HTTPFields
    public var body: [UInt8]

    public init(
        method: String = "POST", path: String, authority: String = "", fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.authority = authority
        self.fields = fields
        self.body = body
    }

    /// The device token of the path, as written; `nil` when the path is another.
    var pathToken: Substring? {
        let prefix = "/3/device/"
        return path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : nil
    }
}
