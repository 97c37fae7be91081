public import PushCore

/// Why a person or a script did not get what it asked for.
public enum AccountError: Error, Sendable, Equatable {
    /// Name or password is wrong; which one is not said.
    case wrongCredentials
    case tooManyAttempts(retryAfterSeconds: Int)
    /// Too many passwords are being checked.
    case busy
    /// - Parameters:
    ///   - field: The member of the request.
    ///   - text: A sentence that says what would be right.
    case invalid(field: String, text: String)
    case store(StoreError)
}
