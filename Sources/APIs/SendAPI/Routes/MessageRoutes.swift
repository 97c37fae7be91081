public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// `GET /v1/projects/{project}/messages/{message}`: how far an accepted message is. Ours: FCM has no such method; the path
/// is the name that a send answers.
///
/// Whoever may send may ask. An id that is none is as unknown as one that was never given: senders take ids as they are.
public struct MessageRoutes: Sendable {
    private static let operation = GoogleError.Operation(
        service: "fcm.googleapis.com", method: "google.firebase.fcm.v1.FcmService.GetMessage")
    private static let permission = "cloudmessaging.messages.create"

    private let messages: any MessageProgressStore
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication

    public init(
        messages: any MessageProgressStore, projects: any ProjectDirectory, authentication: CallerAuthentication
    ) {
        self.messages = messages
        self.projects = projects
        self.authentication = authentication
    }

    public func add(to router: inout Router) {
        router.get("/v1/projects/{project}/messages/{message}") { request in
            do throws(GoogleError) {
                return HTTPResponse(json: try progress(request).json(in: request))
            } catch {
                return error.response
            }
        }
    }

    private func progress(_ request: RoutedRequest) throws(GoogleError) -> MessageProgress {
        let name = request[parameter: "project"]
        let caller = try authentication.caller(of: request.head, for: Self.operation)
        let project = try authentication.require(
            Self.permission, of: caller, in: projects.project(named: name), named: name)
        var found: MessageProgress?
        if let id = MessageID(request[parameter: "message"]) {
            do {
                found = try messages.progress(of: id)
            } catch {
                throw GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
            }
        }
        guard let found, found.project == project.number else {
            throw GoogleError(.notFound, "Requested entity was not found.")
        }
        return found
    }
}

extension MessageProgress {
    fileprivate func json(in request: RoutedRequest) -> JSONValue {
        [
            "name": .string("projects/\(request[parameter: "project"])/messages/\(message)"),
            "state": .string(isDone ? "DONE" : isSplit ? "SENDING" : "SPLITTING"),
            "recipients": .integer(recipients), "accepted": .integer(accepted), "failed": .integer(failed),
            "expired": .integer(expired), "pending": .integer(pending),
        ]
    }
}
