import GoogleAPI
public import HTTPSemantics
public import JSON
public import PushModel

/// What a handler answers, and what the audit log says of it.
public struct ConsoleAnswer: Sendable {
    public var response: HTTPResponse
    /// What was acted on; `nil` for the last parameter of the path.
    public var auditSubject: String?
    /// More for people. No secrets.
    public var auditDetail = ""
    /// Which project it concerns; `nil` for that of the path.
    public var auditProject: ProjectNumber?

    public init(_ response: HTTPResponse) {
        self.response = response
    }

    /// A JSON object.
    public static func json(_ object: JSONObject, status: Int = 200) -> ConsoleAnswer {
        ConsoleAnswer(HTTPResponse(status: status, json: .object(object)))
    }

    /// `{}`
    public static var done: ConsoleAnswer { .json([:]) }

    /// A file to keep.
    /// - Parameter name: Of letters, digits, `.`, `-` and `_`.
    public static func file(_ bytes: [UInt8], named name: String, contentType: String) -> ConsoleAnswer {
        let fields = HTTPFields([
            ("content-type", contentType), ("content-disposition", "attachment; filename=\"\(name)\""),
        ])
        return ConsoleAnswer(HTTPResponse(status: 200, fields: fields, body: bytes))
    }

    /// The same with what the audit log is to say.
    public func audited(_ subject: String, _ detail: String = "") -> ConsoleAnswer {
        var answer = self
        answer.auditSubject = subject
        answer.auditDetail = detail
        return answer
    }
}
