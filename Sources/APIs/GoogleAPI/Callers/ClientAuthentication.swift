public import HTTPSemantics
public import PushCore
public import PushModel

/// Decides whether an app may call an API of the device side, by the API key that its SDK sends.
public struct ClientAuthentication: Sendable {
    private let directory: any ProjectDirectory
    private let service: String

    /// - Parameter service: What errors name: `firebaseinstallations.googleapis.com`.
    public init(directory: any ProjectDirectory, service: String) {
        self.directory = directory
        self.service = service
    }

    /// The project that the path names, when the key belongs to it.
    ///
    /// - Parameter name: The project's id or number.
    public func project(named name: some StringProtocol, in head: HTTPRequestHead) throws(GoogleError) -> Project {
        guard let key = RequestCredentials.apiKey(in: head), !key.isEmpty else { throw .apiKeyMissing() }
        guard let keyOwner = directory.app(apiKey: key) else { throw .apiKeyInvalid(service: service) }
        guard let project = directory.project(named: name), project.number == keyOwner.project else {
            throw GoogleError(.permissionDenied, "The API key belongs to another project than \(name).")
        }
        if let bundle = head.fields["x-ios-bundle-identifier"], !bundle.isEmpty {
            guard directory.apps(of: project.number).contains(where: { $0.bundleID == bundle }) else {
                throw GoogleError(
                    .permissionDenied, "Requests from this iOS client application \(bundle) are blocked.")
            }
        }
        return project
    }
}
