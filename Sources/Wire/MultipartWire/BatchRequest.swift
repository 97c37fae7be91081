internal import HTTP1Wire
public import HTTPSemantics

/// Why one part of a batch is no request; the other parts are answered all the same.
public enum BatchPartError: Error, Equatable, Sendable {
    /// The part's content type is not `application/http`.
    case wrongContentType
    case malformedRequest
}

/// One request inside a `/batch` body.
public struct BatchItem: Sendable, Equatable {
    /// As sent, brackets included; `nil` when the part has none.
    public var contentID: String?
    public var request: Result<HTTPRequest, BatchPartError>

    public init(contentID: String?, request: Result<HTTPRequest, BatchPartError>) {
        self.contentID = contentID
        self.request = request
    }
}

/// Reads the body of Google's retired `/batch` endpoint: HTTP/1.1 requests in a `multipart/mixed` body.
public enum BatchRequest {
    public static func parse(
        _ body: [UInt8], contentType: String, limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartError) -> [BatchItem] {
        let boundary = try MultipartBoundary(contentType: contentType)
        return try MultipartMixed.parse(body, boundary: boundary, limits: limits).map { part in
            BatchItem(contentID: part.fields["content-id"], request: request(in: part))
        }
    }

    private static func request(in part: MultipartPart) -> Result<HTTPRequest, BatchPartError> {
        let type = part.fields["content-type"]?.prefix { $0 != ";" }.trimmingSpaces().lowercased()
        guard type == nil || type == "application/http" else { return .failure(.wrongContentType) }
        var parser = HTTP1RequestParser(source: .bodyPart)
        part.body.withUnsafeBytes { parser.receive($0) }
        guard case .head(let start) = parser.nextEvent() else { return .failure(.malformedRequest) }
        if start.body == .none { return .success(HTTPRequest(head: start.head, body: parser.takeUnread())) }
        var body: [UInt8] = []
        while let event = parser.nextEvent() {
            switch event {
            case .body(let bytes): body += bytes
            case .end: return .success(HTTPRequest(head: start.head, body: body))
            case .head, .failed: return .failure(.malformedRequest)
            }
        }
        return .failure(.malformedRequest)
    }
}
