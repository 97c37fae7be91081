import Bytes
import Crypto
import JSON
import PushCore
import PushModel
import SQLiteStore
import WebPushGateway

extension AdministrationCommand {
    /// `pharos web-push key show`
    static let webPushKeyShow = AdministrationCommand(
        "web-push key show", "Shows the public key that a project's web apps subscribe to web push with.",
        options: [.project],
        discussion: """
            The key goes into getToken({vapidKey}) of the Firebase JavaScript SDK, or into
            pushManager.subscribe({applicationServerKey}).
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let keys = administration.webPushKeys
        let current = Base64URL.encode(keys.publicKey(of: project.number))
        let held = administration.store.importedWebPushKeys(of: project.number).map { Base64URL.encode($0) }
        let all = ([Base64URL.encode(keys.derivedKey(of: project.number))] + held).filter { $0 != current }
        return CommandReport(
            text: ([current] + all.map { "older: \($0)" }).joined(separator: "\n"),
            json: [
                "project": .string(project.id.text), "public_key": .string(current),
                "source": held.isEmpty ? "derived" : "imported", "older_keys": .array(all.map { .string($0) }),
            ])
    }

    /// `pharos web-push key import`
    static let webPushKeyImport = AdministrationCommand(
        "web-push key import", "Gives a project a web push key pair that was made elsewhere.", operands: ["FILE"],
        options: [
            .project,
            .value("public-key", "KEY", "The public key in base64url, to make sure that FILE is its private half."),
        ],
        discussion: """
            FILE is the private key: PEM or DER, or the 32 bytes in base64url, as the tools for web push print it, alone
            or as "privateKey" of a JSON object. New browsers should subscribe with it from now on; browsers that
            subscribed with an earlier key of the project stay subscribed. The key is kept in the data directory, as APNs
            keys are, and pharos backup holds it.
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let key = try WebPushKeyFile(path: arguments.operands[0], publicKey: arguments.value("public-key")).key
        let publicKey = key.publicKey.x963
        try await administration.ask { (store) throws(StoreError) in
            try await store.importWebPushKey(Secret(key.pem), publicKey: publicKey, to: project.number)
        }
        let text = Base64URL.encode(publicKey)
        return CommandReport(
            text: """
                Imported for \(project.id): \(text)
                Browsers that subscribed with an earlier key of the project stay subscribed.
                Next: subscribe new ones with this key: getToken({vapidKey: "…"}).
                """,
            json: ["project": .string(project.id.text), "public_key": .string(text)])
    }
}

extension Administration {
    var webPushKeys: DerivedWebPushKeys { DerivedWebPushKeys(secret: Secret(store.serverSecret), imported: store) }
}

/// A private key for web push as people have it.
struct WebPushKeyFile {
    let key: P256PrivateKey

    /// - Parameter publicKey: What the public half must be, base64url.
    init(path: String, publicKey: String?) throws(CommandFailure) {
        key = try Self.key(in: try PrivateFile.read(path), path)
        guard let publicKey else { return }
        guard Base64URL.decode(publicKey) == key.publicKey.x963 else {
            throw .failed(
                "\(path) is not the private half of that public key.",
                nextStep:
                    "Give the pair that was made together; its public key is \(Base64URL.encode(key.publicKey.x963)).")
        }
    }

    private static func key(in bytes: [UInt8], _ path: String) throws(CommandFailure) -> P256PrivateKey {
        if let scalar = scalar(in: bytes), let key = try? P256PrivateKey(scalar: scalar) { return key }
        do {
            return try P256PrivateKey(file: bytes)
        } catch {
            throw .failed(
                "\(path) holds no private key for web push. \(error)",
                nextStep: "Give a P-256 private key: PEM, DER, or 43 characters of base64url.")
        }
    }

    /// The private number in base64url, alone or in JSON.
    private static func scalar(in bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= 65_536 else { return nil }
        let json = (try? JSONValue(parsing: bytes))?["privateKey"]?.string
        let text = json ?? String(decoding: bytes, as: UTF8.self)
        let word = text.filter { !$0.isWhitespace && $0 != "=" }
        guard word.utf8.count == 43, let scalar = Base64URL.decode(word), scalar.count == P256PrivateKey.scalarByteCount
        else { return nil }
        return scalar
    }
}
