import GoogleAPI
import HTTPSemantics
import MultipartWire

/// Many sends in one request, as the SDKs of 2019 to 2024 made them: each part is a request of its own and gets an
/// answer of its own, in the same order. Source: the batch format of Google's HTTP APIs.
struct BatchRoute: Sendable {
    /// 500 parts of 4 kB of text, escaped and with room for the heads.
    private static let bodyLimitBytes = 16 << 20

    /// What a part may ask for.
    let parts: Router
    /// Whether the outer request may ask at all.
    let authenticate: @Sendable (HTTPRequestHead) throws(GoogleError) -> Void

    var route: Route {
        Route("POST", "/batch", bodyLimitBytes: Self.bodyLimitBytes) { await answer($0.request) }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(GoogleError) {
            try authenticate(request.head)
            let items = try items(of: request)
            let answers = await answers(to: items, in: request)
            return BatchResponse.make(answers, boundary: try freshBoundary())
        } catch {
            return error.response
        }
    }

    private func items(of request: HTTPRequest) throws(GoogleError) -> [BatchItem] {
        do throws(MultipartError) {
            return try BatchRequest.parse(request.body, contentType: request.head.fields["content-type"] ?? "")
        } catch {
            throw GoogleError(.invalidArgument, "Failed to parse batch request: \(error.explanation)")
        }
    }

    /// All parts at once: a part that waits for its device holds up no other.
    private func answers(to items: [BatchItem], in outer: HTTPRequest) async -> [BatchAnswer] {
        await withTaskGroup(of: (Int, HTTPResponse).self) { group in
            for (place, item) in items.enumerated() {
                group.addTask { (place, await response(to: item, in: outer)) }
            }
            var answers = items.map { BatchAnswer(contentID: $0.contentID, response: HTTPResponse(status: 500)) }
            for await (place, response) in group { answers[place].response = response }
            return answers
        }
    }

    private func response(to item: BatchItem, in outer: HTTPRequest) async -> HTTPResponse {
        switch item.request {
        case .failure: return GoogleError(.invalidArgument, "The part is not an HTTP request.").response
        case .success(var request):
            request.head.target = originForm(request.head.target)
            if RequestCredentials.accessToken(in: request.head) == nil {
                request.head.fields["authorization"] = RequestCredentials.accessToken(in: outer.head).map {
                    "Bearer \($0)"
                }
            }
            request.peerAddress = outer.peerAddress
            guard request.body.count <= parts.bodyLimitBytes(for: request.head) else {
                return GoogleError(.invalidArgument, "Request payload size exceeds the limit.").response
            }
            return await parts.respond(to: request)
        }
    }

    /// Some libraries write the whole URL in a part's request line.
    private func originForm(_ target: String) -> String {
        guard let scheme = target.firstRange(of: "://") else { return target }
        let path = target[scheme.upperBound...].drop { $0 != "/" }
        return path.isEmpty ? "/" : String(path)
    }

    private func freshBoundary() throws(GoogleError) -> MultipartBoundary {
        let text = "batch_\(UInt64.random(in: .min ... .max))_\(UInt64.random(in: .min ... .max))"
        guard let boundary = MultipartBoundary(text) else {
            throw GoogleError(.internal, "Internal error encountered.")
        }
        return boundary
    }
}

extension MultipartError {
    /// A sentence for whoever wrote the request.
    fileprivate var explanation: String {
        switch self {
        case .badContentType: "the content type must be multipart/mixed with a boundary of 1 to 70 characters."
        case .unterminated: "the line that ends the last part is missing."
        case .tooManyParts(let maximum): "it has more than \(maximum) parts."
        case .partTooLarge(let maximumBytes): "a part has more than \(maximumBytes) bytes."
        case .badPartFields: "the fields of a part cannot be read."
        }
    }
}
