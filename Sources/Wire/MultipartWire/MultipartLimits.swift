/// What a multipart body may hold.
public struct MultipartLimits: Sendable, Equatable {
    /// 500 is the most that SDKs put into one `/batch` call.
    public var parts = 500
    /// Bytes of one part with its head.
    public var partBytes = 65_536
    /// Bytes of the head of one part.
    public var partHeadBytes = 4_096

    public init() {}
}
