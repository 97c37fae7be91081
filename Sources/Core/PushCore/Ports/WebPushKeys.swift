public import Bytes
public import PushModel

/// The keys with which projects sign their pushes to other push services (VAPID, RFC 8292).
public protocol WebPushKeys: Sendable {
    /// The key that a project's web apps should subscribe with: an uncompressed P-256 point, 65 bytes.
    func publicKey(of project: ProjectNumber) -> [UInt8]

    /// The private half, PKCS #8 in PEM, of a key that a browser subscribed with; `nil` when only the project's own
    /// application server has it.
    ///
    /// - Parameter publicKey: 65 bytes.
    func privateKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>?
}
