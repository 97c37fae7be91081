public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel

/// `/fcm/notification` and `/gcm/notification`: makes, changes and finds device groups.
///
/// The project is that of the caller; the header `project_id` must name it by its number. Source: FCM, "Manage device
/// groups on the app server".
public struct DeviceGroupRoutes: Sendable {
    private static let bodyLimitBytes = 10 << 20

    private let groups: DeviceGroups
    private let senders: SenderAuthentication

    public init(groups: DeviceGroups, senders: SenderAuthentication) {
        self.groups = groups
        self.senders = senders
    }

    public func add(to router: inout Router) {
        for pattern: PathPattern in ["/fcm/notification", "/gcm/notification"] {
            router.post(pattern, bodyLimitBytes: Self.bodyLimitBytes) { request in
                await answer(request) { request, project throws(GroupRefusal) in
                    try await change(request, in: project, findsByName: false)
                }
            }
            router.get(pattern) { await answer($0, find) }
        }
        router.post("/gcm/googlenotification", bodyLimitBytes: Self.bodyLimitBytes) { request in
            await answer(request) { request, project throws(GroupRefusal) in
                try await change(request, in: project, findsByName: true)
            }
        }
    }

    private func answer(
        _ request: RoutedRequest,
        _ action: (RoutedRequest, Project) async throws(GroupRefusal) -> String
    ) async -> HTTPResponse {
        guard let project = senders.project(of: request.head), names(project, in: request.head) else {
            return .unauthorizedPage
        }
        do throws(GroupRefusal) {
            return HTTPResponse(json: ["notification_key": .string(try await action(request, project))])
        } catch {
            return error.response
        }
    }

    private func names(_ project: Project, in head: HTTPRequestHead) -> Bool {
        head.fields["project_id"]?.trimmingSpaces() == project.number.description
    }

    private func find(_ request: RoutedRequest, in project: Project) async throws(GroupRefusal) -> String {
        do {
            return try groups.key(named: request.queryValue("notification_key_name") ?? "", in: project.number)
        } catch {
            throw .group(error)
        }
    }

    /// - Parameter findsByName: Whether the name alone names the group, and adding makes it: the form that apps used
    ///   themselves. Here it wants the server key too, because there are no Google accounts to prove.
    private func change(
        _ request: RoutedRequest, in project: Project, findsByName: Bool
    ) async throws(GroupRefusal) -> String {
        var change: GroupRequest
        do {
            change = try GroupRequest(request.body)
        } catch {
            throw .malformed(error.text)
        }
        do {
            if findsByName, change.key.isEmpty { try find(&change, in: project.number) }
            return try await apply(change, in: project.number)
        } catch {
            throw .group(error)
        }
    }

    private func find(_ change: inout GroupRequest, in project: ProjectNumber) throws(DeviceGroupError) {
        do {
            change.key = try groups.key(named: change.name, in: project)
        } catch {
            guard error == .notFound, change.operation == .add else { throw error }
            change.operation = .create
        }
    }

    private func apply(_ change: GroupRequest, in project: ProjectNumber) async throws(DeviceGroupError) -> String {
        let name = change.name.isEmpty ? nil : change.name
        return switch change.operation {
        case .create: try await groups.create(named: change.name, tokens: change.tokens, in: project)
        case .add: try await groups.add(change.tokens, to: change.key, named: name, in: project)
        case .remove: try await groups.remove(change.tokens, from: change.key, named: name, in: project)
        }
    }
}

/// Why an operation on a group was refused, and the answer.
enum GroupRefusal: Error, Sendable, Equatable {
    case malformed(String)
    case group(DeviceGroupError)

    var response: HTTPResponse {
        let (status, text) = answer
        var response = HTTPResponse(status: status, json: ["error": .string(text)])
        if status == 503 { response.fields["retry-after"] = "30" }
        return response
    }

    private var answer: (Int, String) {
        switch self {
        case .malformed(let text): (400, text)
        case .group(.nameTaken): (400, "notification_key already exists")
        case .group(.notFound): (400, "notification_key not found")
        case .group(.nameMismatch):
            (400, "notification_key_name doesn't match the group name of the notification_key")
        case .group(.noValidMembers): (400, "no valid registration ids")
        case .group(.tooManyMembers): (400, "too many registration ids: a group has at most 20 members")
        case .group(.invalidName): (400, "notification_key_name is missing or too long")
        case .group(.unavailable): (503, "Unavailable")
        }
    }
}
