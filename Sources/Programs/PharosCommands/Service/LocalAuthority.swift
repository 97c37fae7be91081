import Crypto
import Timekeeping
import Transport

/// The certificate authority of one data directory, made at the first start. It signs the certificates of our listeners,
/// so that clients that trust it reach them under every name they use.
struct LocalAuthority: Sendable {
    /// The CA certificate, for clients to trust.
    let certificatePath: String
    let authority: CertificateAuthority

    /// Names of our listeners: this machine, and the hosts that the service plays.
    static let serverNames =
        ["localhost", "127.0.0.1", "::1"] + RedirectProxy.hosts.sorted() + [
            "mtalk.google.com", "fcm-xmpp.googleapis.com", "gcm-xmpp.googleapis.com", "gcm-preprod.googleapis.com",
            "gcm.googleapis.com",
        ]

    /// Reads the authority of a data directory, or makes it.
    init(dataDirectory: String, now: Timestamp) throws(CommandFailure) {
        certificatePath = dataDirectory + "/ca.pem"
        let keyPath = dataDirectory + "/ca-key.pem"
        do {
            if PrivateFile.exists(certificatePath), PrivateFile.exists(keyPath) {
                authority = try Self.read(certificatePath, keyPath)
            } else {
                authority = try CertificateAuthority.generate(
                    name: "Pharos local CA", validity: Self.validity(from: now, days: 3650))
                try PrivateFile.write(Array(authority.privateKey.pem.utf8), to: keyPath, mode: 0o600)
                try PrivateFile.write(Array(authority.certificate.pem.utf8), to: certificatePath, mode: 0o644)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw .failed(
                "The local CA in \(dataDirectory) cannot be used: \(error).",
                nextStep: "Remove ca.pem and ca-key.pem there; the next start makes new ones.")
        }
    }

    private static func read(_ certificatePath: String, _ keyPath: String) throws -> CertificateAuthority {
        let certificate = String(decoding: try PrivateFile.read(certificatePath), as: UTF8.self)
        let key = String(decoding: try PrivateFile.read(keyPath), as: UTF8.self)
        return try CertificateAuthority(
            certificate: X509Certificate(pem: certificate), privateKey: P256PrivateKey(pem: key))
    }

    /// The CA certificate in PEM.
    var certificatePEM: String { authority.certificate.pem }

    /// A certificate for one of our listeners.
    func identity(names: [String], now: Timestamp) throws(CommandFailure) -> TLSIdentity {
        do {
            let leaf = try authority.issueServer(names: names, validity: Self.validity(from: now, days: 820))
            return TLSIdentity(
                certificateChainPEM: Array(leaf.certificatePEM.utf8), privateKeyPEM: Array(leaf.keyPEM.utf8))
        } catch {
            throw .failed("No certificate could be made: \(error).", nextStep: "Run: pharos doctor")
        }
    }

    /// A day back, because clocks differ. Apple's systems take server certificates of at most 825 days.
    private static func validity(from now: Timestamp, days: Int64) -> ClosedRange<Timestamp> {
        now.adding(seconds: -86_400)...now.adding(seconds: days * 86_400)
    }
}
