public import HTTPSemantics
public import PushCore
public import PushModel

/// `POST /c2dm/register3` and `POST /register`: registrations of the token era.
public struct ClassicRegistrationHandler: Sendable {
    private let registrar: ClassicRegistrar
    private let registered: @Sendable (Registration) -> Void

    /// - Parameter registered: Hears each registration, so that what waits for it can go out.
    public init(registrar: ClassicRegistrar, registered: @escaping @Sendable (Registration) -> Void = { _ in }) {
        self.registrar = registrar
        self.registered = registered
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let form = RegisterForm(request) else { return RegisterReply.error(.invalidParameters) }
        do throws(ClassicRegistrationError) {
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
