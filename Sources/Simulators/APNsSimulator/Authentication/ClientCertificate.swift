/// What the service reads from a client certificate of the TLS handshake.
///
/// Source: Apple, "Establishing a certificate-based connection to APNs".
public struct ClientCertificate: Sendable, Equatable {
    /// Topics that the certificate names, the bundle id first; at least one for a usable certificate.
    public var topics: [String]
    /// The UID attribute of the subject: the topic of MDM certificates and the default of single-topic ones.
    public var userID: String?
    public var environments: Set<SimulatedEnvironment>
    public var isRevoked: Bool

    public init(
        topics: [String], userID: String? = nil,
        environments: Set<SimulatedEnvironment> = Set(SimulatedEnvironment.allCases), isRevoked: Bool = false
    ) {
        self.topics = topics
        self.userID = userID
        self.environments = environments
        self.isRevoked = isRevoked
    }

    /// The topic of a request without `apns-topic`; `nil` when the certificate leaves a choice.
    var defaultTopic: String? {
        topics.count <= 1 ? topics.first ?? userID : nil
    }

    func allows(topic: String) -> Bool {
        topics.contains(topic) || userID == topic
    }
}
