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

    /// HTTP 200 except for wrong credentials: clients look at the line, and some never at the status.
    static func error(_ error: ClassicRegistrationError) -> HTTPResponse {
        line("Error=" + error.code, status: error == .authenticationFailed ? 401 : 200)
    }

    private static func line(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=UTF-8", text: text)
    }
}
