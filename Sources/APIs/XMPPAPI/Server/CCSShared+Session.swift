import Bytes
import GoogleAPI
import PushModel

extension CCSShared {
    /// What the sessions of this server know from outside.
    var sessionServices: CCSSessionServices {
        CCSSessionServices(
            authenticate: { [services, measures] credentials in
                let project = Self.project(of: credentials, services)
                measures.login(project != nil)
                return project
            }, admit: { [senders] in senders.enter($0) },
            newID: { [services] in Hex.encode(services.random(8)) }, maximumPending: configuration.pendingMessages,
            maximumFailures: configuration.failedLogins)
    }

    /// The secret proves a project, and the project must be the sender's.
    private static func project(of credentials: CCSCredentials, _ services: CCSServices) -> Project? {
        let secret = credentials.secret.reveal()
        let project = services.senders.project(serverKey: secret) ?? services.senders.project(accessToken: secret)
        return project?.number == credentials.sender ? project : nil
    }
}
