import Bytes
import ConsoleAPI
import Crypto
import PushModel
import Timekeeping

/// A key or certificate for APNs, as `pharos apns-key import` reads it from a file: everything that would fail at the
/// first push is found out here.
struct APNsKeyFile {
    let kind: APNsCredential.Kind
    let environments: Set<APNsEnvironment>
    let bundleIDs: Set<String>

    init(_ arguments: CommandArguments, now: Timestamp) throws(CommandFailure) {
        let path = arguments.operands[0]
        let file = try PrivateFile.read(path)
        let environments = try Self.environments(arguments.value("environment"))
        let bundleIDs = Set(arguments.allValues("bundle-id"))
        if let certified = try Self.certifiedKey(file, arguments) {
            let read = try Self.taking(path) { () throws(APNsCertificate.Refusal) in
                let certificate = try APNsCertificate(certified, now: now)
                return (
                    certificate.kind, try certificate.environments(environments ?? []),
                    try certificate.bundleIDs(bundleIDs)
                )
            }
            (kind, self.environments, self.bundleIDs) = read
        } else {
            let key = try Self.reading(path) { () throws(KeyError) in try P256PrivateKey(file: file) }
            kind = .signingKey(
                pem: key.pem, keyID: try Self.keyID(arguments, path: path),
                teamID: try Self.identifier(arguments.value("team-id") ?? "", "--team-id"))
            self.environments = environments ?? Set(APNsEnvironment.allCases)
            self.bundleIDs = bundleIDs
        }
    }

    /// The certificate and key in the file, or beside it; `nil` when the file is to be read as a key.
    private static func certifiedKey(
        _ file: [UInt8], _ arguments: CommandArguments
    ) throws(CommandFailure) -> CertifiedKey? {
        var keyPEM: String?
        if let keyPath = arguments.value("key") {
            keyPEM = String(decoding: try PrivateFile.read(keyPath), as: UTF8.self)
        }
        let password = try password(arguments)
        return try reading(arguments.operands[0]) { () throws(KeyError) in
            try CertifiedKey(file: file, keyPEM: keyPEM, password: password)
        }
    }

    private static func password(_ arguments: CommandArguments) throws(CommandFailure) -> Secret<String> {
        guard let path = arguments.value("password-file") else { return Secret("") }
        let text = String(decoding: try PrivateFile.read(path), as: UTF8.self)
        return Secret(String(text.prefix { !$0.isNewline }))
    }

    /// `--key-id`, or the ID in `AuthKey_ID.p8`, which is how Apple names the file.
    private static func keyID(_ arguments: CommandArguments, path: String) throws(CommandFailure) -> String {
        if let given = arguments.value("key-id") { return try identifier(given, "--key-id") }
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return try identifier("", "--key-id") }
        return try identifier(String(name.dropFirst("AuthKey_".count).dropLast(".p8".count)), "--key-id")
    }

    /// Key ids and team ids of Apple: 10 capital letters and digits.
    private static func identifier(_ text: String, _ option: String) throws(CommandFailure) -> String {
        guard APNsCredential.isAppleIdentifier(text) else {
            throw .usage(
                text.isEmpty ? "\(option) is needed." : "“\(text)” is not 10 capital letters and digits.",
                nextStep:
                    "Apple's developer site shows it under Certificates, Identifiers & Profiles, Keys: \(option) ID.")
        }
        return text
    }

    private static func environments(_ word: String?) throws(CommandFailure) -> Set<APNsEnvironment>? {
        switch word {
        case nil: return nil
        case "both": return Set(APNsEnvironment.allCases)
        case let word?:
            guard let environment = APNsEnvironment(rawValue: word) else {
                throw .usage("“\(word)” is no environment.", nextStep: "Choose sandbox, production or both.")
            }
            return [environment]
        }
    }

    private static func reading<Result>(
        _ path: String, _ body: () throws(KeyError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(KeyError) {
            return try body()
        } catch {
            throw .failed("\(path): \(error)", nextStep: nextStep(after: error))
        }
    }

    private static func taking<Result>(
        _ path: String, _ body: () throws(APNsCertificate.Refusal) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(APNsCertificate.Refusal) {
            return try body()
        } catch {
            throw .failed("\(path): \(error)", nextStep: nextStep(after: error))
        }
    }

    private static func nextStep(after refusal: APNsCertificate.Refusal) -> String {
        switch refusal {
        case .notValidToday: "Get a new one from Apple."
        case .forEnvironments: "Leave --environment out, or get a certificate for the other environment."
        case .forApps: "Leave --bundle-id out, or get a certificate for the app."
        }
    }

    private static func nextStep(after error: KeyError) -> String {
        switch error {
        case .certificateInsteadOfKey: "Give the certificate's key too, with --key FILE, or a .p12 file with both."
        case .wrongPassword: "Put the password of the .p12 file into a file, and name it with --password-file."
        default: "Give the AuthKey_….p8 file as it came from Apple, or a certificate with its key."
        }
    }
}
