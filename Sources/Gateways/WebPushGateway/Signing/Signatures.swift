import Bytes
import Crypto
import PushCore
import PushModel
import Synchronization
import Timekeeping
import WebPushWire

/// The `Authorization` values of projects for push services, each used until half of its life is over.
final class Signatures: Sendable {
    private struct Use: Hashable {
        var project: ProjectNumber
        var publicKey: [UInt8]
        var origin: String
    }

    private struct Value {
        var text: String
        var renewAt: Timestamp
    }

    private static let maximumKeptValues = 10_000
    private static let keptSeconds = VAPIDSigner.defaultLifetimeSeconds / 2

    private let keys: any WebPushKeys
    private let subject: String?
    private let clock: any WallClock
    private let values = Mutex<[Use: Value]>([:])

    init(keys: any WebPushKeys, subject: String?, clock: any WallClock) {
        self.keys = keys
        self.subject = subject
        self.clock = clock
    }

    /// - Parameter applicationKey: What the browser subscribed with, base64url. The one of Firebase's own, whose private
    ///   half nobody else has, and none at all stand for the project's key: a subscription without any key takes it.
    /// - Throws: `thirdPartyAuthentication` when the private half is not here.
    func authorization(
        of project: ProjectNumber, applicationKey: String, for origin: String
    ) throws(SendError) -> String {
        let isDefault = applicationKey.isEmpty || applicationKey == ClassicRegistrar.defaultBrowserKey
        let publicKey = isDefault ? keys.publicKey(of: project) : Base64URL.decode(applicationKey) ?? []
        let use = Use(project: project, publicKey: publicKey, origin: origin)
        let now = clock.now()
        if let kept = values.withLock({ $0[use] }), now < kept.renewAt { return kept.text }
        let text = try sign(use, now: now)
        values.withLock { values in
            if values.count >= Self.maximumKeptValues { values = values.filter { now < $0.value.renewAt } }
            if values.count >= Self.maximumKeptValues { values = [:] }
            values[use] = Value(text: text, renewAt: now.adding(seconds: Self.keptSeconds))
        }
        return text
    }

    private func sign(_ use: Use, now: Timestamp) throws(SendError) -> String {
        guard let pem = keys.privateKey(of: use.project, for: use.publicKey) else { throw .foreignApplicationKey }
        do {
            let signer = VAPIDSigner(key: try P256PrivateKey(pem: pem.reveal()), subject: subject)
            return try signer.authorization(for: use.origin, now: now)
        } catch {
            throw .foreignApplicationKey
        }
    }
}

extension SendError {
    /// The browser subscribed with a key whose private half only the app's own server has.
    static let foreignApplicationKey = SendError(
        .thirdPartyAuthentication,
        """
        Auth error from APNS or Web Push Service: the browser subscribed with an application server key that this \
        project does not hold. Subscribe with the project's own key, or import the key.
        """)
}
