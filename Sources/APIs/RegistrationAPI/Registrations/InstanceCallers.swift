import GoogleAPI
import HTTPSemantics
import PushCore
import PushModel

/// Who calls the registration API: an API key of the project, and the auth token of an installation.
struct InstanceCallers: Sendable {
    private static let service = "fcmregistrations.googleapis.com"
    fileprivate static let operation = GoogleError.Operation(
        service: service, method: "google.firebase.fcmregistrations.v1.RegistrationService")

    private let registrar: InstanceRegistrar
    private let clients: ClientAuthentication

    init(registrar: InstanceRegistrar, directory: any ProjectDirectory) {
        self.registrar = registrar
        clients = ClientAuthentication(directory: directory, service: Self.service)
    }

    /// The JavaScript SDK writes `FIS <token>`, everybody else the bare token.
    func proof(of request: RoutedRequest) throws(GoogleError) -> InstallationProof {
        let project = try clients.project(named: request[parameter: "project"], in: request.head)
        var token = request.head.fields["x-goog-firebase-installations-auth"] ?? ""
        if token.hasPrefix("FIS ") { token.removeFirst(4) }
        guard !token.isEmpty else { throw .credentialsMissing(Self.operation) }
        do {
            return try registrar.proof(token, in: project.number)
        } catch {
            throw GoogleError(error)
        }
    }
}

extension GoogleError {
    /// The one table from refused calls of app instances to Google's errors.
    init(_ refusal: InstanceRegistrar.Refusal) {
        self =
            switch refusal {
            case .unauthenticated: .credentialsInvalid(InstanceCallers.operation)
            case .otherInstallation:
                GoogleError(.permissionDenied, "The installation auth token belongs to another installation.")
            case .notFound: GoogleError(.notFound, "Requested entity was not found.")
            case .wrongBundle: .invalidField("ios.bundle_id", "Invalid value for bundle_id: it is not the app's.")
            case .unknownEndpoint:
                .invalidField("web.endpoint", "Invalid value for endpoint: no live push subscription has it.")
            case .otherApplicationKey:
                .invalidField(
                    "web.application_pub_key",
                    "Invalid value for application_pub_key: the browser subscribed with another key.")
            case .unavailable:
                GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
            }
    }
}
