import FirebasePlatform
import JSON
import Synchronization

/// Listens to what the SDK of a phone says to the service, and remembers the identities that come back: the tests of other
/// people's code ask for them.
final class IdentityTap: WebTransport {
    /// What the service gave to the app instance.
    struct Identities: Sendable, Equatable {
        var androidID: UInt64?
        var securityToken: UInt64?
        var refreshToken: String?
        var authToken: String?
    }

    private let inner: any WebTransport
    private let isOnline: @Sendable () -> Bool
    private let state = Mutex(Identities())

    /// - Parameter isOnline: Without a network every request fails as on a phone in flight mode.
    init(_ inner: any WebTransport, isOnline: @escaping @Sendable () -> Bool) {
        self.inner = inner
        self.isOnline = isOnline
    }

    var identities: Identities { state.withLock { $0 } }

    func forget() { state.withLock { $0 = Identities() } }

    func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
        guard isOnline() else { throw .notConnectedToInternet }
        let response = try await inner.send(request)
        if (200..<300).contains(response.status), let body = (try? JSONValue(parsing: response.body))?.object {
            note(body, of: request)
        }
        return response
    }

    private func note(_ body: JSONObject, of request: WebRequest) {
        state.withLock { state in
            if request.url.hasSuffix("/checkin") {
                state.androidID = body["android_id"]?.uint64
                state.securityToken = body["security_token"]?.uint64
            } else if request.url.hasSuffix("/authTokens:generate") {
                state.authToken = body["token"]?.string
            } else if let refreshToken = body["refreshToken"]?.string {
                state.refreshToken = refreshToken
                state.authToken = body["authToken"]?.object?["token"]?.string
            }
        }
    }
}
