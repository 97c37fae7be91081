internal import Crypto
internal import JSON
internal import PushCore
internal import PushModel
internal import Synchronization

/// Whose signature a token carries.
final class SignatureCheck: Sendable {
    enum Failure: Error {
        case accountNotFound, badSignature
    }

    private let directory: any ProjectDirectory
    /// Reading a key takes longer than checking a signature.
    private let keys = Mutex(RecentlyUsed<[UInt8], RSAPublicKey>(limit: 1024))

    init(directory: any ProjectDirectory) {
        self.directory = directory
    }

    /// The account that the token's `iss` names, when one of its keys made the signature.
    ///
    /// The key that `kid` names comes first. Hand-written senders leave `kid` out or write another text there, so the
    /// other keys of the account are tried too.
    func signer(of token: JWT) throws(Failure) -> ServiceAccount {
        guard let email = token.claims["iss"]?.string else { throw .accountNotFound }
        let accounts = directory.serviceAccounts(email: email)
        guard !accounts.isEmpty else { throw .accountNotFound }
        let isNamed = { (account: ServiceAccount) in account.keyID == token.keyID }
        let signer = (accounts.filter(isNamed) + accounts.filter { !isNamed($0) }).first { account in
            key(of: account).map { token.isSigned(for: .rs256($0)) } ?? false
        }
        guard let signer else { throw .badSignature }
        return signer
    }

    private func key(of account: ServiceAccount) -> RSAPublicKey? {
        if let known = keys.withLock({ $0.value(of: account.publicKey) }) { return known }
        guard let key = try? RSAPublicKey(der: account.publicKey) else { return nil }
        keys.withLock { $0.insert(key, for: account.publicKey) }
        return key
    }
}
