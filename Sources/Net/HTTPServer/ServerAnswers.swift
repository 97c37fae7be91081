import Compression
import HTTPSemantics

/// Answers that the server makes or changes itself.
enum ServerAnswers {
    private static let words = [
        400: "The request is malformed.", 408: "The request took too long.",
        413: "The request body is larger than allowed here.", 414: "The request target is too long.",
        415: "The content encoding is not supported.", 417: "The expectation cannot be met.",
        431: "The request header fields are too large.", 501: "This cannot be done here.",
        503: "Too many requests are being answered. Try again.", 505: "The HTTP version is not supported.",
    ]

    static func refusal(status: Int) -> HTTPResponse {
        var response = HTTPResponse(
            status: status, contentType: "text/plain; charset=utf-8",
            text: (words[status] ?? "The request was refused.") + "\n")
        if status == 503 { response.fields["retry-after"] = "1" }
        if status == 415 { response.fields["accept-encoding"] = "gzip, deflate" }
        return response
    }

    /// A handler's answer, ready for the wire: a status that can be sent, no field that belongs to the server.
    static func prepared(
        _ response: HTTPResponse, to head: HTTPRequestHead, compressedBytes: Int?
    ) -> HTTPResponse {
        guard (200...599).contains(response.status) else { return refusal(status: 500) }
        var response = response
        if response.fields.lines.contains(where: { isServersOwn($0.name) }) {
            response.fields = HTTPFields(
                response.fields.lines.filter { !isServersOwn($0.name) }.map { ($0.name, $0.value) })
        }
        if let compressedBytes, response.body.count >= compressedBytes { compress(&response, for: head) }
        return response
    }

    private static func isServersOwn(_ name: String) -> Bool {
        switch name {
        case "connection", "content-length", "date", "keep-alive", "transfer-encoding", "upgrade": true
        default: false
        }
    }

    private static func compress(_ response: inout HTTPResponse, for head: HTTPRequestHead) {
        guard response.fields["content-encoding"] == nil, isText(response.fields["content-type"] ?? "") else { return }
        response.fields.append("vary", "accept-encoding")
        guard accepts(head.fields.listMembers(of: "accept-encoding")) else { return }
        let body = Deflation.deflate(response.body, format: .gzip, level: 4)
        guard body.count < response.body.count else { return }
        response.body = body
        response.fields.append("content-encoding", "gzip")
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/javascript")
            || type.hasPrefix("image/svg")
    }

    /// `gzip` with any quality but zero (RFC 9110 §12.5.3).
    private static func accepts(_ members: [String]) -> Bool {
        members.contains { member in
            let parts = member.split(separator: ";").map { $0.trimmingSpaces() }
            guard parts.first == "gzip" else { return false }
            return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
        }
    }
}
