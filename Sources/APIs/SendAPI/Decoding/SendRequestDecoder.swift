import JSON
import PushCore
public import PushModel

/// Reads the body of `POST /v1/projects/{project}/messages:send`.
///
/// One pass over the bytes. Faults come in this order: the syntax; everything that does not fit the schema, together;
/// no target; a target that cannot be read; the first value that breaks a rule of its own. Source: FCM HTTP v1
/// reference, `messages:send`.
public struct SendRequestDecoder: Sendable {
    /// Deeper nesting is refused. Source: protobuf's own limit for JSON.
    static let maximumDepth = 100

    public init() {}

    public func decode(_ body: [UInt8], project: ProjectID) throws(SendRequestRefusal) -> SendRequest {
        let options = JSONOptions(maximumDepth: Self.maximumDepth, skipsByteOrderMark: true)
        let draft: SendRequestDraft
        do {
            draft = try JSONCursor.read(body, options: options) { (cursor) throws(JSONError) -> SendRequestDraft in
                try SendRequestDraft(reading: cursor)
            }
        } catch {
            throw .malformed(RequestFormatError(error, in: body))
        }
        return try draft.request(from: project)
    }
}

extension RequestFormatError {
    /// The place of a syntax error, shown with the text around it and a caret.
    init(_ error: JSONError, in body: [UInt8]) {
        let description = "Invalid JSON payload received. \(error.explanation(in: body))"
        self.init(violations: [SendError.Violation(field: "", description: description)])
    }
}

/// What the body said, before anything is refused.
private struct SendRequestDraft {
    var faults: [SendError.Violation]
    var refusal: SendError?
    var target: TargetDraft?
    var message = Message()
    var validateOnly = false

    init(reading cursor: JSONCursor) throws(JSONError) {
        var reader = ProtoJSONReader(cursor)
        var content: MessageDraft?
        var validateOnly = false
        if try reader.cursor.peek() == .object {
            _ = try reader.readMessage(MessageSchema.request) { (reader, field) throws(JSONError) in
                switch field {
                case .message: content = try reader.readMessageDraft()
                case .validateOnly: validateOnly = try reader.readBool() ?? false
                }
            }
        } else {
            try reader.cursor.skipValue()
            reader.note(.root)
        }
        try reader.cursor.end()
        faults = reader.faults.map(\.violation)
        refusal = reader.refusal?.error
        target = content?.target
        message = content?.message ?? Message()
        self.validateOnly = validateOnly
    }

    func request(from project: ProjectID) throws(SendRequestRefusal) -> SendRequest {
        guard faults.isEmpty else { throw .malformed(RequestFormatError(violations: faults)) }
        do throws(SendError) {
            guard let target else { throw SendError.recipientMissing }
            let named = try target.sendTarget()
            if let refusal { throw refusal }
            return SendRequest(project: project, target: named, message: message, validateOnly: validateOnly)
        } catch {
            throw .refused(error)
        }
    }
}

/// The member of the oneof `target` that was set last.
struct TargetDraft {
    var field: MessageSchema.Message
    var text: String

    func sendTarget() throws(SendError) -> SendTarget {
        switch field {
        case .fid: try .fid(parsing: text)
        case .topic: try .topic(parsing: text, field: "message.topic")
        case .condition: try .condition(parsing: text, allowsNegation: false, field: "message.condition")
        default: .token(text)
        }
    }
}
