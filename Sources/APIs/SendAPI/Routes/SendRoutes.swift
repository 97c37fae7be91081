public import GoogleAPI
import HTTPSemantics
public import PushCore
import PushModel

/// `POST /v1/projects/{project}/messages:send` and the retired `POST /batch`.
///
/// Who calls is settled before the body is read. Source: FCM HTTP v1 reference, `messages:send`.
public struct SendRoutes: Sendable {
    private static let operation = GoogleError.Operation(
        service: "fcm.googleapis.com", method: "google.firebase.fcm.v1.FcmService.SendMessage")
    /// Source: IAM, role "Firebase Cloud Messaging API Admin".
    private static let permission = "cloudmessaging.messages.create"

    private let pipeline: SendPipeline
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication
    private let decoder = SendRequestDecoder()

    public init(pipeline: SendPipeline, projects: any ProjectDirectory, authentication: CallerAuthentication) {
        self.pipeline = pipeline
        self.projects = projects
        self.authentication = authentication
    }

    public func add(to router: inout Router) {
        let send = Route("POST", "/v1/projects/{project}/messages:send") { await answer($0) }
        var parts = Router()
        parts.add(send)
        let batch = BatchRoute(parts: parts) { head throws(GoogleError) in
            _ = try authentication.caller(of: head, for: Self.operation)
        }
        router.add(send)
        router.add(batch.route)
    }

    private func answer(_ request: RoutedRequest) async -> HTTPResponse {
        let name = request[parameter: "project"]
        do throws(GoogleError) {
            let (project, sender) = try authorizedProject(named: name, for: request.head)
            return await answer(request.body, of: sender, project: project, named: name)
        } catch {
            return error.response
        }
    }

    private func authorizedProject(
        named name: String, for head: HTTPRequestHead
    ) throws(GoogleError) -> (project: Project, sender: String) {
        let caller = try authentication.caller(of: head, for: Self.operation)
        let project = try authentication.require(
            Self.permission, of: caller, in: projects.project(named: name), named: name)
        return (project, caller.account.email)
    }

    private func answer(
        _ body: [UInt8], of sender: String, project: Project, named name: String
    ) async -> HTTPResponse {
        let replies = SendReplyEncoder(project: name)
        var request: SendRequest
        do throws(SendRequestRefusal) {
            request = try decoder.decode(body, project: project.id)
        } catch {
            return replies.response(to: error)
        }
        request.message.origin = MessageOrigin(.v1, sender: sender)
        do throws(SendError) {
            return replies.response(to: try await pipeline.send(request, in: project))
        } catch {
            return replies.response(to: .refused(error))
        }
    }
}
