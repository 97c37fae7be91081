import HTTPSemantics
import PushCore

/// The text lines that registration clients read.
///
/// A body never contains the word `Error` unless it is one, and a token never `=`: clients search for both.
enum RegisterReply {
    static func token(_ token: String) -> HTTPResponse {
        line("token=" + token)
    }

    static func deleted(_ form: RegisterForm) -> HTTPResponse {
        line(form.expectsDeletedLine ? "deleted=" + form.app : "token=" + form.subtype)
    }

    /// HTTP 200 except for wrong credentials and a rate: clients look at the line, and some never at the status.
    static func error(_ error: ClassicRegistrationError) -> HTTPResponse {
        let line = "Error=" + error.code
        switch error {
        case .authenticationFailed: return self.line(line, status: 401)
        case .topicRateExceeded:
            var response = self.line(line, status: 429)
            response.fields["retry-after"] = "1"
            return response
        default: return self.line(line)
        }
    }

    private static func line(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=UTF-8", text: text)
    }
}
