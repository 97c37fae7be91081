internal import HTTPSemantics
internal import JSON

/// The parameters of a token request: a form, as RFC 6749 asks for, or a JSON object, which some clients send.
struct TokenRequest {
    private var parameters: [String: String] = [:]

    init(_ request: HTTPRequest) throws(OAuthError) {
        if request.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            guard let object = (try? JSONValue(parsing: request.body))?.object else {
                throw OAuthError(code: .invalidRequest, description: "The body is not valid JSON.")
            }
            for member in object { parameters[member.name] = member.value.string }
        } else {
            let text = String(decoding: request.body, as: UTF8.self)
            for pair in PercentEncoding.formPairs(text) { parameters[pair.name] = pair.value }
        }
    }

    /// A parameter that must be there and not empty.
    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = parameters[name], !value.isEmpty else { throw .parameterMissing(name) }
        return value
    }
}
