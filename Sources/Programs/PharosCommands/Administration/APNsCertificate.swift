import Crypto
import PushModel
import Timekeeping

/// What a certificate for APNs says about itself.
struct APNsCertificate {
    private let path: String
    /// Where it is valid; both for Apple's newer certificates.
    private let allowed: Set<APNsEnvironment>
    /// The bundle ids that it serves; empty when it does not say.
    private let apps: Set<String>

    /// - Throws: When the certificate's time has not come or is over.
    init(_ identity: CertifiedKey, path: String, now: Timestamp) throws(CommandFailure) {
        self.path = path
        guard let certificate = identity.chain.first, certificate.isValid(at: now) else {
            throw .failed("\(path): The certificate is not valid today.", nextStep: "Get a new one from Apple.")
        }
        var allowed: Set<APNsEnvironment> = []
        if certificate.value(of: .applePushDevelopment) != nil { allowed.insert(.sandbox) }
        if certificate.value(of: .applePushProduction) != nil { allowed.insert(.production) }
        self.allowed = allowed.isEmpty ? Set(APNsEnvironment.allCases) : allowed
        let topics = certificate.applePushTopics
        apps = Set(topics.filter { $0.kinds.isEmpty || $0.kinds.contains("app") }.map(\.name))
    }

    /// - Parameter wanted: `nil` for all that the certificate allows.
    func environments(_ wanted: Set<APNsEnvironment>?) throws(CommandFailure) -> Set<APNsEnvironment> {
        guard let wanted else { return allowed }
        guard wanted.isSubset(of: allowed) else {
            throw .failed(
                "\(path): The certificate is for \(allowed.map(\.rawValue).sorted().joined(separator: " and ")) alone.",
                nextStep: "Leave --environment out, or get a certificate for the other environment.")
        }
        return wanted
    }

    /// - Parameter wanted: Empty for all that the certificate names.
    func bundleIDs(_ wanted: Set<String>) throws(CommandFailure) -> Set<String> {
        guard !wanted.isEmpty, !apps.isEmpty else { return wanted.isEmpty ? apps : wanted }
        guard wanted.isSubset(of: apps) else {
            throw .failed(
                "\(path): The certificate is for \(apps.sorted().joined(separator: ", ")).",
                nextStep: "Leave --bundle-id out, or get a certificate for the app.")
        }
        return wanted
    }
}
