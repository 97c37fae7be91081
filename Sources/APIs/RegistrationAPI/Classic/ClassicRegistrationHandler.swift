public import HTTPSemantics
public import PushCore
public import PushModel

/// `POST /c2dm/register3`, `POST /register` and `POST /iid/register`: registrations of the token era and their topics.
public struct ClassicRegistrationHandler: Sendable {
    private let registrar: ClassicRegistrar
    private let topics: DeviceTopics
    private let registered: @Sendable (Registration) -> Void

    /// - Parameter registered: Hears each registration, so that what waits for it can go out.
    public init(
        registrar: ClassicRegistrar, topics: DeviceTopics,
        registered: @escaping @Sendable (Registration) -> Void = { _ in }
    ) {
        self.registrar = registrar
        self.topics = topics
        self.registered = registered
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let form = RegisterForm(request) else { return RegisterReply.error(.invalidParameters) }
        do throws(ClassicRegistrationError) {
            if let topic = form.topic {
                try await topics.change(form.registration, topic: topic, joins: !form.isDeletion)
                return RegisterReply.token(form.registration.sender)
            }
            if form.isDeletion {
                try await registrar.unregister(form.registration)
                return RegisterReply.deleted(form)
            }
            let (registration, token) = try await registrar.register(form.registration)
            registered(registration)
            return RegisterReply.token(token)
        } catch {
            return RegisterReply.error(error)
        }
    }
}
