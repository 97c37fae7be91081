public import Bytes
import Crypto
public import PushCore
public import PushModel
import Synchronization

/// Web push keys that follow from the server's secret, and those that were imported.
///
/// A derived key needs no storage: a project has it from its first moment, every node has the same one, and a backup of
/// the secret is a backup of the key. It changes only with the secret.
public final class DerivedWebPushKeys: WebPushKeys {
    private static let purpose = Array("web push key of project".utf8)
    private static let maximumKeptKeys = 10_000

    private let secret: Secret<[UInt8]>
    private let imported: (any ImportedWebPushKeys)?
    private let keys = Mutex<[ProjectNumber: P256PrivateKey]>([:])

    /// - Parameter secret: The server's secret, at least 16 bytes.
    public init(secret: Secret<[UInt8]>, imported: (any ImportedWebPushKeys)? = nil) {
        self.secret = secret
        self.imported = imported
    }

    public func publicKey(of project: ProjectNumber) -> [UInt8] {
        imported?.importedWebPushKeys(of: project).last ?? derivedKey(of: project)
    }

    /// The key that follows from the secret, also when another was imported: browsers that subscribed with it stay.
    public func derivedKey(of project: ProjectNumber) -> [UInt8] {
        key(of: project)?.publicKey.x963 ?? []
    }

    public func privateKey(of project: ProjectNumber, for publicKey: [UInt8]) -> Secret<String>? {
        if let own = key(of: project), own.publicKey.x963 == publicKey { return Secret(own.pem) }
        return imported?.importedWebPushKey(of: project, for: publicKey)
    }

    private func key(of project: ProjectNumber) -> P256PrivateKey? {
        if let known = keys.withLock({ $0[project] }) { return known }
        let number = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: project.value >> UInt64($0)) }
        guard let key = try? P256PrivateKey.derived(from: secret.reveal(), info: Self.purpose + [0] + number) else {
            return nil
        }
        keys.withLock { keys in
            if keys.count >= Self.maximumKeptKeys { keys = [:] }
            keys[project] = key
        }
        return key
    }
}
