public import Timekeeping

/// A project: the tenant that owns apps, keys, registrations and messages.
public struct Project: Sendable, Equatable {
    public var id: ProjectID
    public var number: ProjectNumber
    public var displayName: String
    public var createdAt: Timestamp

    public init(id: ProjectID, number: ProjectNumber, displayName: String, createdAt: Timestamp) {
        self.id = id
        self.number = number
        self.displayName = displayName
        self.createdAt = createdAt
    }
}

extension Project {
    /// Stands where a project should for what no project owns: browsers that registered for an app server's own key, and
    /// what is sent to them. No store has it.
    public static let none = Project(
        id: ProjectID(known: "no-project"), number: ProjectNumber(value: 0), displayName: "",
        createdAt: Timestamp(milliseconds: 0))
}

/// An app of a project.
public struct App: Sendable, Equatable {
    public var id: AppID
    public var project: ProjectNumber
    /// The bundle id of an Apple app, the package of an Android app, empty for a web app.
    public var bundleID: String
    /// 39 characters, `AIza…`: what the app's SDK sends as its API key. Not a secret: it ships inside the app.
    public var apiKey: String
    public var displayName: String

    public init(id: AppID, project: ProjectNumber, bundleID: String, apiKey: String, displayName: String) {
        self.id = id
        self.project = project
        self.bundleID = bundleID
        self.apiKey = apiKey
        self.displayName = displayName
    }
}

/// An app server's identity, with the public half of its key.
public struct ServiceAccount: Sendable, Equatable {
    /// The store's row number; access tokens carry it.
    public var serial: Int64
    public var email: String
    public var project: ProjectNumber
    /// `private_key_id` of the key file: 40 hex characters.
    public var keyID: String
    /// SubjectPublicKeyInfo in DER.
    public var publicKey: [UInt8]
    public var isEnabled: Bool

    public init(
        serial: Int64, email: String, project: ProjectNumber, keyID: String, publicKey: [UInt8], isEnabled: Bool
    ) {
        self.serial = serial
        self.email = email
        self.project = project
        self.keyID = keyID
        self.publicKey = publicKey
        self.isEnabled = isEnabled
    }
}

/// What a project shows to APNs. One credential serves one team.
public struct APNsCredential: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// A `.p8` signing key in PEM, with its 10-character key id and team id.
        case signingKey(pem: String, keyID: String, teamID: String)
        /// A client certificate chain and its key, both in PEM.
        case certificate(chainPEM: String, keyPEM: String)
    }

    /// The store's row number, which also names the connection pool.
    public var serial: Int64
    public var project: ProjectNumber
    public var kind: Kind
    /// Where the credential is valid; both for most signing keys.
    public var environments: Set<APNsEnvironment>
    /// The bundle ids that it may serve; empty means all of the project.
    public var bundleIDs: Set<String>

    public init(
        serial: Int64, project: ProjectNumber, kind: Kind, environments: Set<APNsEnvironment>, bundleIDs: Set<String>
    ) {
        self.serial = serial
        self.project = project
        self.kind = kind
        self.environments = environments
        self.bundleIDs = bundleIDs
    }
}
