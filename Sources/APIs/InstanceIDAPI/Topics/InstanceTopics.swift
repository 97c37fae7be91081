import GoogleAPI
import HTTPSemantics
import PushCore
import PushModel

/// Subscriptions by the Instance ID API: one token by path, or a thousand by body. Source: Instance ID server reference,
/// "Create relationship maps".
struct InstanceTopics: Sendable {
    let subscriptions: TopicSubscriptions

    // MARK: One

    func subscribe(_ request: RoutedRequest, in project: Project) async -> HTTPResponse {
        await one(request, in: project) { (registration, topic) throws(TopicError) in
            try await subscriptions.subscribe(registration, to: topic, by: .appServer)
        }
    }

    func unsubscribe(_ request: RoutedRequest, in project: Project) async -> HTTPResponse {
        await one(request, in: project) { (registration, topic) throws(TopicError) in
            try await subscriptions.unsubscribe(registration, from: topic)
        }
    }

    private func one(
        _ request: RoutedRequest, in project: Project,
        _ change: (Registration, TopicName) async throws(TopicError) -> Bool
    ) async -> HTTPResponse {
        guard let topic = TopicName(request[parameter: "topic"]) else {
            return InstanceIDReply.failure(400, "INVALID_ARGUMENT")
        }
        do throws(TopicError) {
            let registration = try subscriptions.registration(
                token: request[parameter: "token"], in: project.number)
            _ = try await change(registration, topic)
            return InstanceIDReply.done
        } catch {
            return InstanceIDReply.failure(error)
        }
    }

    // MARK: Many

    func subscribeMany(_ request: RoutedRequest, in project: Project) async -> HTTPResponse {
        await many(request) { (tokens, topic) throws(TopicError) in
            try await subscriptions.subscribe(tokens: tokens, to: topic, in: project.number)
        }
    }

    func unsubscribeMany(_ request: RoutedRequest, in project: Project) async -> HTTPResponse {
        await many(request) { (tokens, topic) throws(TopicError) in
            try await subscriptions.unsubscribe(tokens: tokens, from: topic, in: project.number)
        }
    }

    private func many(
        _ request: RoutedRequest,
        _ change: ([String], TopicName) async throws(TopicError) -> [Result<Bool, TopicError>]
    ) async -> HTTPResponse {
        guard let body = TopicBatch(request.body) else { return InstanceIDReply.failure(400, "INVALID_ARGUMENT") }
        do throws(TopicError) {
            return InstanceIDReply.results(try await change(body.tokens, body.topic))
        } catch {
            return InstanceIDReply.failure(error)
        }
    }
}
