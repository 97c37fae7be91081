public import Accounts
public import GoogleAPI
public import PushCore

extension GoogleError {
    static let notSignedIn = GoogleError(
        .unauthenticated, "Nobody is signed in, or the session is over. Sign in with POST /console/v1/session.")

    /// 404: what one may not see does not exist.
    public static func absent(_ what: String) -> GoogleError {
        GoogleError(.notFound, "There is no such \(what), or you may not see it.")
    }

    /// 409: the thing is not in a state in which that can be done.
    public static func wrongState(_ text: String) -> GoogleError {
        GoogleError(.failedPrecondition, text, httpStatus: 409)
    }

    /// What a refusal of the store means to the console.
    public static func store(_ error: StoreError) -> GoogleError {
        switch error {
        case .conflict(let text): GoogleError(.alreadyExists, text)
        case .notFound(let text): GoogleError(.notFound, text)
        case .unavailable(let text): GoogleError(.unavailable, text, retryAfterSeconds: 1)
        }
    }

    /// What a refusal of the accounts means to the console.
    public static func account(_ error: AccountError) -> GoogleError {
        switch error {
        case .wrongCredentials: GoogleError(.unauthenticated, "The name or the password is wrong.")
        case .tooManyAttempts(let seconds):
            GoogleError(
                .resourceExhausted, "There were too many wrong passwords. Wait \(seconds) s and try again.",
                retryAfterSeconds: seconds)
        case .busy:
            GoogleError(.unavailable, "Many people sign in at this moment. Try again.", retryAfterSeconds: 2)
        case .invalid(let field, let text): .invalidField(field, text)
        case .store(let error): .store(error)
        }
    }
}

/// Calls into the core with its errors translated.
public func answering<Result>(
    _ body: () async throws(AccountError) -> Result
) async throws(GoogleError) -> Result {
    do throws(AccountError) {
        return try await body()
    } catch {
        throw .account(error)
    }
}

/// Asks the store with its errors translated.
public func asking<Result>(_ body: () async throws(StoreError) -> Result) async throws(GoogleError) -> Result {
    do throws(StoreError) {
        return try await body()
    } catch {
        throw .store(error)
    }
}
