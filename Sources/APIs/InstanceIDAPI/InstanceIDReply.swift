import GoogleAPI
import HTTPSemantics
import JSON
import PushCore

/// The answers of the Instance ID API: errors are `{"error": "<code>"}`, not Google's envelope. Source: Instance ID server
/// reference; the codes that the Admin SDKs map.
enum InstanceIDReply {
    static let done = HTTPResponse(json: [:])

    static func failure(_ status: Int, _ code: String) -> HTTPResponse {
        var response = HTTPResponse(status: status, json: ["error": .string(code)])
        if status == 503 { response.fields["retry-after"] = "30" }
        return response
    }

    static func failure(_ error: TopicError) -> HTTPResponse {
        failure(error.instanceIDAnswer.status, error.instanceIDAnswer.code)
    }

    /// One entry per token: empty for success, because clients count members.
    static func results(_ results: [Result<Bool, TopicError>]) -> HTTPResponse {
        let entries = results.map { result -> JSONValue in
            switch result {
            case .success: [:]
            case .failure(let error): ["error": .string(error.instanceIDAnswer.code)]
            }
        }
        return HTTPResponse(json: ["results": .array(entries)])
    }
}

extension TopicError {
    /// Source: Instance ID server reference, "Response status codes" and per-token errors.
    fileprivate var instanceIDAnswer: (status: Int, code: String) {
        switch self {
        case .malformedToken: (400, "INVALID_ARGUMENT")
        case .unknownRegistration: (404, "NOT_FOUND")
        case .senderIDMismatch: (403, "PERMISSION_DENIED")
        case .tooManyTopics: (400, "TOO_MANY_TOPICS")
        case .denied: (403, "PERMISSION_DENIED")
        case .changeRateExceeded: (429, "RESOURCE_EXHAUSTED")
        case .unavailable: (503, "INTERNAL")
        }
    }
}
