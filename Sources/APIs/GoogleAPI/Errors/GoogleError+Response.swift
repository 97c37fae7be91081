public import HTTPSemantics
public import JSON

extension GoogleError {
    /// `{"error": {"code": …, "message": …, "status": …, "details": […]}}`; no `details` when there are none.
    public var json: JSONValue {
        var error: JSONObject = [
            "code": .integer(httpStatus), "message": .string(message), "status": .string(status.rawValue),
        ]
        if !details.isEmpty { error["details"] = .array(details.map(\.json)) }
        return ["error": .object(error)]
    }

    /// The whole answer, printed with a line per member as Google does.
    public var response: HTTPResponse {
        var response = HTTPResponse(status: httpStatus, json: json.prettyPrinted)
        if httpStatus == 401 { response.fields["www-authenticate"] = challenge }
        if let retryAfterSeconds { response.fields["retry-after"] = String(retryAfterSeconds) }
        return response
    }

    /// Source: RFC 6750 §3.
    private var challenge: String {
        #"Bearer realm="https://accounts.google.com/""# + (refusesToken ? #", error="invalid_token""# : "")
    }
}

extension HTTPResponse {
    /// The content type of JSON answers, spelt as Google spells it.
    public static let jsonContentType = "application/json; charset=UTF-8"

    /// A JSON answer.
    public init(status: Int = 200, json: [UInt8]) {
        self.init(
            status: status, fields: HTTPFields([("content-type", Self.jsonContentType)]), body: json)
    }

    /// A JSON answer.
    public init(status: Int = 200, json: JSONValue) {
        self.init(status: status, json: json.encoded)
    }

    /// A page that Google's front end would answer: for what no API answers.
    public init(errorPage status: Int, _ reason: String, _ sentence: String) {
        let title = "Error \(status) (\(reason))!!1"
        let page = """
            <!DOCTYPE html>
            <html lang=en>
            <meta charset=utf-8>
            <title>\(title)</title>
            <p><b>\(status).</b> <ins>That’s an error.</ins>
            <p>\(sentence.escapedForHTML) <ins>That’s all we know.</ins>

            """
        self.init(status: status, contentType: "text/html; charset=UTF-8", text: page)
    }
}

extension String {
    fileprivate var escapedForHTML: String {
        var text = ""
        for character in unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
