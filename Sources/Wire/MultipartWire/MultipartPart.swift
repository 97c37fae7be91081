public import HTTPSemantics

/// One part of a multipart body.
public struct MultipartPart: Sendable, Equatable {
    public var fields: HTTPFields
    public var body: [UInt8]

    public init(fields: HTTPFields, body: [UInt8]) {
        self.fields = fields
        self.body = body
    }
}
