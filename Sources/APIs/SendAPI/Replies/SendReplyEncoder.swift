import GoogleAPI
public import HTTPSemantics
public import PushCore
import PushModel

/// Writes the answers of `messages:send`.
public struct SendReplyEncoder: Sendable {
    /// The project as the request's path named it: answers repeat that name.
    private let project: String

    public init(project: String) {
        self.project = project
    }

    /// 200 with the name of the message.
    public func response(to receipt: SendReceipt) -> HTTPResponse {
        // The parts of the name need no escapes: a project's id or number, and digits.
        HTTPResponse(json: Array("{\n  \"name\": \"\(receipt.name(in: project))\"\n}\n".utf8))
    }

    /// What is wrong with the body carries no `FcmError`: it is nothing to forget a token for.
    public func response(to refusal: SendRequestRefusal) -> HTTPResponse {
        switch refusal {
        case .malformed(let error):
            let violations = error.violations.map(GoogleError.FieldViolation.init)
            return GoogleError(.invalidArgument, error.message, details: [.badRequest(violations)]).response
        case .refused(let error): return error.googleError(project: project).response
        }
    }
}
