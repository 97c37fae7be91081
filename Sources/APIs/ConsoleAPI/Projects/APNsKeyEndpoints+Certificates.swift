import Accounts
import Bytes
import Crypto
import GoogleAPI
import JSON
import PushCore
import PushModel
import Timekeeping

extension APNsKeyEndpoints {
    /// `POST …/apns-certificates`. What is uploaded is listed, checked and deleted beside the keys.
    var certificateEndpoint: ConsoleEndpoint {
        ConsoleEndpoint(
            "apnsCertificate.create", "POST", "projects/{project}/apns-certificates",
            "Uploads an APNs certificate with its key. It replaces what served the same environments and apps.",
            access: .project(.administrator),
            body: .object([
                .required(
                    "file", .text(1, upTo: 49_152),
                    "A .p12 file, or a certificate as PEM or DER, in base64. It may hold the chain and, as PEM, the key."
                ),
                .optional("key", .text(0, upTo: 16_384), "The private key as PEM, when the file does not hold it."),
                .optional("password", .text(0, upTo: 1024), "The password of a .p12 file."),
                .optional(
                    "bundleIds", .list(.text(1, upTo: 155), maximumItems: 100),
                    "The apps that it may serve, of those that it names; all of them if it is not given."),
                .optional(
                    "environments", .list(Self.environmentSchema, maximumItems: 2),
                    "Those that the certificate says if it is not given."),
            ]), answer: .json(.reference("APNsKey")), handler: createCertificate)
    }

    private func createCertificate(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let body = request.body
        let certificate = try read(certifiedKey(body))
        let environments = try taking("environments") { () throws(APNsCertificate.Refusal) in
            try certificate.environments(Self.environments(body))
        }
        let wanted = try Self.bundleIDs(body)
        let bundleIDs = try taking("bundleIds") { () throws(APNsCertificate.Refusal) in
            try certificate.bundleIDs(wanted)
        }
        let credential = try await asking { () async throws(StoreError) in
            try await store.importAPNsCredential(
                certificate.kind, project: request.project.number, environments: environments, bundleIDs: bundleIDs)
        }
        return .json(json(credential)).audited(String(credential.serial), "certificate")
    }

    private func read(_ identity: CertifiedKey) throws(GoogleError) -> APNsCertificate {
        try taking("file") { () throws(APNsCertificate.Refusal) in try APNsCertificate(identity, now: clock.now()) }
    }

    private func certifiedKey(_ body: JSONObject) throws(GoogleError) -> CertifiedKey {
        guard let file = Base64.decode(body["file"]?.string ?? ""), !file.isEmpty else {
            throw .invalidField("file", "Give the bytes of the file in base64.")
        }
        let key = body["key"]?.string ?? ""
        do throws(KeyError) {
            let found = try CertifiedKey(
                file: file, keyPEM: key.isEmpty ? nil : key, password: Secret(body["password"]?.string ?? ""))
            guard let found else { throw Self.lack(of: file) }
            return found
        } catch {
            throw Self.refusal(error)
        }
    }

    /// What is missing in a file that holds no certificate with a key.
    private static func lack(of file: [UInt8]) -> KeyError {
        do throws(KeyError) {
            _ = try P256PrivateKey(file: file)
            return .privateKeyInsteadOfCertificate
        } catch {
            return error
        }
    }

    private static func refusal(_ error: KeyError) -> GoogleError {
        switch error {
        case .certificateInsteadOfKey:
            .invalidField("key", "The certificate came without its private key. Give it too, or a .p12 file with both.")
        case .privateKeyInsteadOfCertificate:
            .invalidField("file", "This is a private key alone. Give the certificate, or upload a .p8 key as a key.")
        case .wrongPassword: .invalidField("password", "The password does not open the .p12 file.")
        case .mismatch: .invalidField("key", "\(error) Give the key with which the certificate was asked for.")
        default: .invalidField("file", "\(error) Give the certificate as it came from Apple, or a .p12 file.")
        }
    }

    private func taking<Value>(
        _ field: String, _ body: () throws(APNsCertificate.Refusal) -> Value
    ) throws(GoogleError) -> Value {
        do throws(APNsCertificate.Refusal) {
            return try body()
        } catch {
            throw .invalidField(field, "\(error) \(Self.nextStep(after: error))")
        }
    }

    private static func nextStep(after refusal: APNsCertificate.Refusal) -> String {
        switch refusal {
        case .notValidToday: "Get a new one from Apple."
        case .forEnvironments: "Leave the environments out, or get a certificate for the other one."
        case .forApps: "Leave the bundle ids out, or get a certificate for the app."
        }
    }
}
