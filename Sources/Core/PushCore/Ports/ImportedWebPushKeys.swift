public import Bytes
public import PushModel

/// Web push keys that were made elsewhere and given to a project. A project keeps each of them, because browsers stay
/// bound to the one that they subscribed with; the newest is what new ones should subscribe with.
public protocol ImportedWebPushKeys: Sendable {
    /// The public halves, 65 bytes each; the newest last.
    func importedWebPushKeys(of project: ProjectNumber) -> [[UInt8]]

    /// The private half, PKCS #8 in PEM.
    func importedWebPushKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>?

    /// Keeps a pair and makes it the newest. Durable when it returns.
    ///
    /// - Throws: `notFound` when there is no such project.
    func importWebPushKey(
        _ privateKey: Secret<String>, publicKey: [UInt8], to project: ProjectNumber
    ) async throws(StoreError)
}
