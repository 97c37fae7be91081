public import GoogleAPI
import HTTPSemantics
import JSON
public import PushCore
import PushModel
import Timekeeping

/// `/v1/projects/{project}/registrations/{registration}/topicSubscriptions`: the topics of one app instance.
///
/// Source: FCM HTTP v1 reference, `projects.registrations.topicSubscriptions`.
public struct TopicSubscriptionRoutes: Sendable {
    private static let operation = GoogleError.Operation(
        service: "fcm.googleapis.com", method: "google.firebase.fcm.v1.TopicSubscriptionService")
    private static let permission = "cloudmessaging.messages.create"
    private static let path = "/v1/projects/{project}/registrations/{registration}/topicSubscriptions"
    private static let bodyLimitBytes = 65_536

    private let subscriptions: TopicSubscriptions
    private let projects: any ProjectDirectory
    private let authentication: CallerAuthentication

    public init(
        subscriptions: TopicSubscriptions, projects: any ProjectDirectory, authentication: CallerAuthentication
    ) {
        self.subscriptions = subscriptions
        self.projects = projects
        self.authentication = authentication
    }

    public func add(to router: inout Router) {
        add(to: &router, "POST", "", create)
        add(to: &router, "GET", "", list)
        add(to: &router, "DELETE", "", leaveAll)
        add(to: &router, "GET", "/{topic}", read)
        add(to: &router, "PATCH", "/{topic}", update)
        add(to: &router, "DELETE", "/{topic}", delete)
    }

    private func add(
        to router: inout Router, _ method: String, _ suffix: String,
        _ action: @escaping @Sendable (RoutedRequest, Registration) async throws(GoogleError) -> JSONValue
    ) {
        let pattern = PathPattern(Self.path + suffix)
        let route = Route(method, pattern, bodyLimitBytes: Self.bodyLimitBytes) { request in
            do throws(GoogleError) {
                return HTTPResponse(json: try await action(request, try registration(request)))
            } catch {
                return error.response
            }
        }
        router.add(route)
    }

    private func registration(_ request: RoutedRequest) throws(GoogleError) -> Registration {
        let name = request[parameter: "project"]
        let caller = try authentication.caller(of: request.head, for: Self.operation)
        let project = try authentication.require(
            Self.permission, of: caller, in: projects.project(named: name), named: name)
        let text = request[parameter: "registration"]
        return try answered { () throws(TopicError) in
            do throws(TopicError) {
                return try subscriptions.registration(token: text, in: project.number)
            } catch {
                // The path may name a FID, so one that nobody has is unknown and not malformed.
                let isFID = FirebaseInstallationID(text)?.isFull == true
                throw isFID && error == .malformedToken ? TopicError.unknownRegistration : error
            }
        }
    }

    // MARK: Methods

    private func create(_ request: RoutedRequest, of registration: Registration) async throws(GoogleError) -> JSONValue
    {
        let given = request.queryValue("topicName") ?? request.queryValue("topic_name")
        let body = given == nil ? try JSONBody.object(of: request.request) : [:]
        let topic = try topic(named: given ?? body[firstOf: "topicName", "topic_name"]?.string ?? "")
        let isNew = try await subscribe(registration, to: topic)
        guard isNew else {
            throw GoogleError(.alreadyExists, "The registration is subscribed to topic \(topic) already.")
        }
        return try existing(topic, of: registration, request)
    }

    private func read(_ request: RoutedRequest, of registration: Registration) async throws(GoogleError) -> JSONValue {
        try existing(try topic(named: request[parameter: "topic"]), of: registration, request)
    }

    private func update(_ request: RoutedRequest, of registration: Registration) async throws(GoogleError) -> JSONValue
    {
        let topic = try topic(named: request[parameter: "topic"])
        if allowsMissing(request) { _ = try await subscribe(registration, to: topic) }
        return try existing(topic, of: registration, request)
    }

    private func delete(_ request: RoutedRequest, of registration: Registration) async throws(GoogleError) -> JSONValue
    {
        let topic = try topic(named: request[parameter: "topic"])
        let wasThere: Bool
        do {
            wasThere = try await subscriptions.unsubscribe(registration, from: topic)
        } catch {
            throw GoogleError(error)
        }
        guard wasThere || allowsMissing(request) else { throw .subscriptionNotFound(topic) }
        return [:]
    }

    /// Our own addition: FCM has no way out of all topics at once.
    private func leaveAll(
        _ request: RoutedRequest, of registration: Registration
    ) async throws(GoogleError) -> JSONValue {
        do {
            return ["deletedCount": .integer(try await subscriptions.leaveAll(registration))]
        } catch {
            throw GoogleError(error)
        }
    }

    private func list(_ request: RoutedRequest, of registration: Registration) async throws(GoogleError) -> JSONValue {
        let page = try TopicSubscriptionPage(request)
        let found = try answered { () throws(TopicError) in
            try subscriptions.subscriptions(of: registration, after: page.last, limit: page.size + 1)
        }
        let shown = found.prefix(page.size)
        let entries = JSONValue.array(shown.map { .object($0.json(in: request)) })
        // Both spellings of each name, as in every answer of this resource.
        var answer: JSONObject = shown.isEmpty ? [:] : ["topicSubscriptions": entries, "topic_subscriptions": entries]
        if found.count > page.size, let last = shown.last {
            let token = JSONValue.string(TopicSubscriptionPage.token(after: last.topic))
            answer["nextPageToken"] = token
            answer["next_page_token"] = token
        }
        return .object(answer)
    }

    // MARK: Steps

    private func topic(named text: String) throws(GoogleError) -> TopicName {
        guard let topic = TopicName(text) else {
            throw .invalidField(
                "topic_name", "Invalid topic name: 1 to 900 characters of [a-zA-Z0-9-_.~%] are allowed.")
        }
        return topic
    }

    private func subscribe(_ registration: Registration, to topic: TopicName) async throws(GoogleError) -> Bool {
        do {
            return try await subscriptions.subscribe(registration, to: topic, by: .appServer)
        } catch {
            throw GoogleError(error)
        }
    }

    private func existing(
        _ topic: TopicName, of registration: Registration, _ request: RoutedRequest
    ) throws(GoogleError) -> JSONValue {
        let found = try answered { () throws(TopicError) in
            try subscriptions.subscription(of: registration, to: topic)
        }
        guard let found else { throw .subscriptionNotFound(topic) }
        return .object(found.json(in: request))
    }

    private func allowsMissing(_ request: RoutedRequest) -> Bool {
        (request.queryValue("allowMissing") ?? request.queryValue("allow_missing"))?.lowercased() == "true"
    }

    private func answered<Value>(_ body: () throws(TopicError) -> Value) throws(GoogleError) -> Value {
        do {
            return try body()
        } catch {
            throw GoogleError(error)
        }
    }
}

extension TopicSubscription {
    /// The resource, named as the request named project and registration. The documentation spells the members in snake
    /// case, the discovery document in camel case: clients of both find theirs.
    fileprivate func json(in request: RoutedRequest) -> JSONObject {
        let parent = "projects/\(request[parameter: "project"])/registrations/\(request[parameter: "registration"])"
        let time = JSONValue.string(createdAt.rfc3339)
        return [
            "name": .string("\(parent)/topicSubscriptions/\(topic)"), "topicName": .string(topic.text),
            "topic_name": .string(topic.text), "createTime": time, "create_time": time,
        ]
    }
}
