import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel

/// `POST …/registrations/{fid}/topicSubscriptions/{topic}:subscribe` and `:unsubscribe`: app instances that ask for
/// themselves, in FID mode. Source: the calls of the Apple and Android SDKs.
struct InstanceTopicRoutes: Sendable {
    private static let path = "/v1/projects/{project}/registrations/{registration}/topicSubscriptions/{topic}"

    private let registrar: InstanceRegistrar
    private let subscriptions: TopicSubscriptions
    private let callers: InstanceCallers

    init(registrar: InstanceRegistrar, subscriptions: TopicSubscriptions, directory: any ProjectDirectory) {
        self.registrar = registrar
        self.subscriptions = subscriptions
        callers = InstanceCallers(registrar: registrar, directory: directory)
    }

    var router: Router {
        var router = Router()
        router.post(PathPattern(Self.path + ":subscribe"), bodyLimitBytes: 65_536) { request in
            await answer(request) { (registration, topic) throws(TopicError) in
                try await subscriptions.subscribe(registration, to: topic, by: .app)
            }
        }
        router.post(PathPattern(Self.path + ":unsubscribe"), bodyLimitBytes: 65_536) { request in
            await answer(request) { (registration, topic) throws(TopicError) in
                try await subscriptions.unsubscribe(registration, from: topic)
            }
        }
        return router
    }

    private func answer(
        _ request: RoutedRequest, _ change: (Registration, TopicName) async throws(TopicError) -> Bool
    ) async -> HTTPResponse {
        do throws(GoogleError) {
            let registration = try registration(request)
            guard let topic = TopicName(request[parameter: "topic"]) else {
                throw .invalidField(
                    "topic_name", "Invalid topic name: 1 to 900 characters of [a-zA-Z0-9-_.~%] are allowed.")
            }
            do {
                _ = try await change(registration, topic)
            } catch {
                throw GoogleError(error)
            }
            return HTTPResponse(json: [:])
        } catch {
            return error.response
        }
    }

    /// The caller's own registration.
    private func registration(_ request: RoutedRequest) throws(GoogleError) -> Registration {
        let proof = try callers.proof(of: request)
        let name = request[parameter: "registration"]
        do {
            try registrar.checkOwner(of: name, by: proof)
        } catch {
            throw GoogleError(error)
        }
        do {
            return try subscriptions.registration(token: name, in: proof.project)
        } catch {
            throw GoogleError(error)
        }
    }
}
