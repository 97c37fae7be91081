internal import HTTP1Wire
public import HTTPSemantics

/// One answer inside the answer to `/batch`.
public struct BatchAnswer: Sendable, Equatable {
    /// That of the request.
    public var contentID: String?
    public var response: HTTPResponse

    public init(contentID: String?, response: HTTPResponse) {
        self.contentID = contentID
        self.response = response
    }
}

/// Writes the answer to `/batch`: one part for each request, in the same order.
public enum BatchResponse {
    /// - Parameter boundary: Occurs in no answer: take a random one.
    public static func make(_ answers: [BatchAnswer], boundary: MultipartBoundary) -> HTTPResponse {
        let body = MultipartMixed.serialize(answers.map(part), boundary: boundary)
        return HTTPResponse(status: 200, fields: HTTPFields([("content-type", boundary.contentType)]), body: body)
    }

    private static func part(_ answer: BatchAnswer) -> MultipartPart {
        var fields = HTTPFields([("content-type", "application/http")])
        if let id = answer.contentID { fields.append("content-id", responseID(id)) }
        var body: [UInt8] = []
        let request = HTTPRequestHead(method: "POST", target: "/")
        HTTP1Serializer.write(answer.response, to: request, keepsAlive: true, into: &body)
        return MultipartPart(fields: fields, body: body)
    }

    /// `<x>` becomes `<response-x>`, and `x` becomes `response-x`: clients find their request by it.
    private static func responseID(_ id: String) -> String {
        id.hasPrefix("<") ? "<response-" + id.dropFirst() : "response-" + id
    }
}
