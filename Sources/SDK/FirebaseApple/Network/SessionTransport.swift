#if canImport(Darwin)
    import FirebasePlatform
    import Foundation
    import Synchronization

    /// Requests over URLSession.
    final class SessionTransport: WebTransport {
        private struct Kind: Hashable {
            var session: WebRequest.Session
            var timeoutSeconds: Double
        }

        /// A time limit for a whole exchange belongs to a session, so there is one per limit in use: a handful.
        private let sessions = Mutex<[Kind: URLSession]>([:])

        func send(_ request: WebRequest) async throws(WebError) -> WebResponse {
            guard let url = URL(string: request.url) else { throw .badURL }
            do {
                let (data, response) = try await session(for: request).data(for: outgoing(request, to: url))
                guard let response = response as? HTTPURLResponse else { throw WebError.badServerResponse }
                return WebResponse(status: response.statusCode, headers: Self.headers(of: response), body: Array(data))
            } catch {
                throw WebError(system: error)
            }
        }

        private func outgoing(_ request: WebRequest, to url: URL) -> URLRequest {
            var outgoing = URLRequest(
                url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeoutSeconds)
            outgoing.httpMethod = request.method
            for header in request.headers { outgoing.addValue(header.value, forHTTPHeaderField: header.name) }
            if !request.body.isEmpty { outgoing.httpBody = Data(request.body) }
            return outgoing
        }

        private func session(for request: WebRequest) -> URLSession {
            let kind = Kind(session: request.session, timeoutSeconds: request.timeoutSeconds)
            return sessions.withLock { sessions in
                if let known = sessions[kind] { return known }
                let configuration: URLSessionConfiguration = kind.session == .ephemeral ? .ephemeral : .default
                configuration.timeoutIntervalForResource = kind.timeoutSeconds
                let made = URLSession(configuration: configuration)
                sessions[kind] = made
                return made
            }
        }

        private static func headers(of response: HTTPURLResponse) -> [WebRequest.Header] {
            response.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return WebRequest.Header(name, value)
            }
        }
    }

    extension WebError {
        /// Keeps the number that the system gave.
        init(system error: any Error) {
            switch error {
            case let error as WebError: self = error
            case is CancellationError: self = .cancelled
            default:
                let error = error as NSError
                let code = error.domain == NSURLErrorDomain ? error.code : WebError.networkConnectionLost.errorCode
                self.init(errorCode: code, failureReason: error.localizedDescription)
            }
        }
    }
#endif
