public import HTTPSemantics
public import JSON

/// Reading a request's body as JSON, whatever its content type says: clients are careless with that.
public enum JSONBody {
    /// How bodies are read: a byte order mark does no harm.
    public static let options = JSONOptions(skipsByteOrderMark: true)

    /// The body as an object. An empty body is an empty object.
    public static func object(of request: HTTPRequest) throws(GoogleError) -> JSONObject {
        guard !request.body.isEmpty else { return JSONObject() }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: request.body, options: options)
        } catch {
            throw .malformedJSON(error, in: request.body)
        }
        guard let object = value.object else {
            throw GoogleError(
                .invalidArgument, "Invalid JSON payload received. Expected an object at the root.")
        }
        return object
    }
}

extension GoogleError {
    /// The answer to a text that is not JSON, with the piece of the text and a caret under the place.
    public static func malformedJSON(_ error: JSONError, in body: [UInt8]) -> GoogleError {
        let text = "Invalid JSON payload received. \(error.explanation(in: body))"
        return GoogleError(
            .invalidArgument, text, details: [.badRequest([FieldViolation(field: nil, description: text)])])
    }
}
