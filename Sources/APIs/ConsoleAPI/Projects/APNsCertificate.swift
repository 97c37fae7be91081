public import Crypto
public import PushModel
public import Timekeeping

/// A certificate for APNs with its key: what would fail at the first push is found out here.
public struct APNsCertificate: Sendable {
    /// Why a certificate is not taken. The description is for people.
    public enum Refusal: Error, Sendable, Equatable {
        case notValidToday(from: Timestamp, until: Timestamp)
        case forEnvironments(Set<APNsEnvironment>)
        case forApps(Set<String>)
    }

    public let identity: CertifiedKey
    /// Where it is valid; both for Apple's newer certificates.
    private let allowed: Set<APNsEnvironment>
    /// The bundle ids that it serves; empty when it does not say.
    private let apps: Set<String>

    /// - Throws: When the certificate's time has not come or is over.
    public init(_ identity: CertifiedKey, now: Timestamp) throws(Refusal) {
        self.identity = identity
        guard let certificate = identity.chain.first else { throw .notValidToday(from: now, until: now) }
        guard certificate.isValid(at: now) else {
            throw .notValidToday(from: certificate.notBefore, until: certificate.notAfter)
        }
        var allowed: Set<APNsEnvironment> = []
        if certificate.value(of: .applePushDevelopment) != nil { allowed.insert(.sandbox) }
        if certificate.value(of: .applePushProduction) != nil { allowed.insert(.production) }
        self.allowed = allowed.isEmpty ? Set(APNsEnvironment.allCases) : allowed
        let topics = certificate.applePushTopics
        apps = Set(topics.filter { $0.kinds.isEmpty || $0.kinds.contains("app") }.map(\.name))
    }

    /// What a project keeps of it.
    public var kind: APNsCredential.Kind {
        .certificate(chainPEM: identity.certificatePEM, keyPEM: identity.keyPEM)
    }

    /// - Parameter wanted: Empty for all that the certificate allows.
    public func environments(_ wanted: Set<APNsEnvironment>) throws(Refusal) -> Set<APNsEnvironment> {
        guard wanted.isSubset(of: allowed) else { throw .forEnvironments(allowed) }
        return wanted.isEmpty ? allowed : wanted
    }

    /// - Parameter wanted: Empty for all that the certificate names.
    public func bundleIDs(_ wanted: Set<String>) throws(Refusal) -> Set<String> {
        guard apps.isEmpty || wanted.isSubset(of: apps) else { throw .forApps(apps) }
        return wanted.isEmpty ? apps : wanted
    }
}

extension APNsCertificate.Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notValidToday(let start, let end):
            "The certificate is not valid today: it is from \(start.rfc3339) to \(end.rfc3339)."
        case .forEnvironments(let allowed):
            "The certificate is for \(allowed.map(\.rawValue).sorted().joined(separator: " and ")) alone."
        case .forApps(let apps): "The certificate is for \(apps.sorted().joined(separator: ", "))."
        }
    }
}
