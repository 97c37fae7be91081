import Crypto
import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore

extension AdministrationCommand {
    /// `pharos service-account create`
    static let serviceAccountCreate = AdministrationCommand(
        "service-account create", "Makes a service account's key file, which an app server needs.",
        options: [
            .project, .server,
            .value("account", "NAME", "The name before the @ of the account.", default: "firebase-adminsdk"),
            .value("out", "FILE", "Where to write it. Default: service-account.json in the data directory."),
        ],
        discussion: """
            The file is the only copy of the private key. Its token_uri is --server with /token: give the address that
            app servers use. A file that exists is not overwritten.
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let path = arguments.value("out") ?? administration.store.dataDirectory.path + "/service-account.json"
        guard !PrivateFile.exists(path) else {
            throw .failed("\(path) exists, and may be a key in use.", nextStep: "Name another file with --out FILE.")
        }
        let file = try keyFile(for: project, arguments)
        let account = try await administration.ask { (store) throws(StoreError) in
            try await store.addServiceAccount(
                email: file.email, in: project.number, keyID: file.keyID, publicKey: file.privateKey.publicKey.der)
        }
        try PrivateFile.write(file.encoded, to: path, mode: 0o600)
        return CommandReport(
            text: """
                \(path) is the key of \(account.email), for \(file.tokenURI).
                App servers use it with GOOGLE_APPLICATION_CREDENTIALS=\(path); pharos send uses it with --service-account.
                """,
            json: [
                "file": .string(path), "email": .string(account.email), "key_id": .string(account.keyID),
                "project_id": .string(project.id.text), "token_uri": .string(file.tokenURI),
            ])
    }

    /// `pharos service-account disable`
    static let serviceAccountDisable = serviceAccountSwitch("disable", enabled: false)
    /// `pharos service-account enable`
    static let serviceAccountEnable = serviceAccountSwitch("enable", enabled: true)

    private static func serviceAccountSwitch(_ verb: String, enabled: Bool) -> AdministrationCommand {
        AdministrationCommand(
            "service-account \(verb)",
            enabled ? "Lets a disabled key be used again." : "Stops a key from being used, at once.",
            operands: ["KEY_ID"], options: [.project], discussion: "KEY_ID is the private_key_id of the key file."
        ) { (administration, arguments) async throws(CommandFailure) in
            let (project, keyID) = (try await administration.project(arguments), arguments.operands[0])
            let accounts = administration.store.serviceAccounts(of: project.number)
            guard let account = accounts.first(where: { $0.keyID == keyID }) else {
                throw .failed(
                    "The project \(project.id) has no key \(keyID).",
                    nextStep: "See which it has: pharos project show \(project.id).")
            }
            try await administration.ask { (store) throws(StoreError) in
                try await store.setServiceAccount(serial: account.serial, enabled: enabled)
            }
            return CommandReport(
                text: "The key \(keyID) of \(account.email) is \(verb)d.",
                json: ["key_id": .string(keyID), "email": .string(account.email), "enabled": .bool(enabled)])
        }
    }

    private static func keyFile(
        for project: Project, _ arguments: CommandArguments
    ) throws(CommandFailure) -> ServiceAccountKeyFile {
        let name = try arguments.required("account")
        guard (1...64).contains(name.utf8.count),
            name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
        else {
            throw .usage("“\(name)” is no account name.", nextStep: "Choose small letters, digits and hyphens.")
        }
        let tokenURI = try arguments.serverURL() + "/token"
        do throws(CryptoError) {
            return try .generate(
                projectID: project.id.text, email: "\(name)@\(project.id).iam.gserviceaccount.com", tokenURI: tokenURI)
        } catch {
            throw .failed("No key could be made: \(error).", nextStep: "Run: pharos doctor")
        }
    }
}
