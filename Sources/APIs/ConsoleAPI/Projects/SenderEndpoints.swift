import Accounts
import Crypto
import GoogleAPI
import JSON
import OAuthAPI
import PushCore
import PushModel
import Timekeeping

/// What app servers prove themselves with: service accounts, and the server keys of the older dialects.
public struct SenderEndpoints: Sendable {
    let store: any ProjectEndpoints.Store
    let address: PublicAddress

    public init(store: any ProjectEndpoints.Store, address: PublicAddress) {
        self.store = store
        self.address = address
    }

    public var part: ConsolePart {
        let accounts = "projects/{project}/service-accounts"
        let keys = "projects/{project}/server-keys"
        return ConsolePart(
            "App servers",
            endpoints: [
                ConsoleEndpoint(
                    "serviceAccount.list", "GET", accounts, "Lists the service accounts of a project.",
                    access: .project(.viewer), query: ConsolePage.parameters,
                    answer: .json(.page("serviceAccounts", of: .reference("ServiceAccount"))), handler: listAccounts),
                ConsoleEndpoint(
                    "serviceAccount.create", "POST", accounts,
                    "Makes a service account and answers its key file, which is shown this once.",
                    access: .project(.administrator),
                    body: .object([
                        .optional(
                            "accountName", .text(1, upTo: 64, pattern: "^[a-z0-9-]+$"),
                            "The name before the @; firebase-adminsdk if it is not given.")
                    ]),
                    answer: .json(
                        .object([
                            .required("serviceAccount", .reference("ServiceAccount")),
                            .required("keyFile", .map(.text(), maximumMembers: 32), "What app servers load."),
                        ])), handler: createAccount),
                ConsoleEndpoint(
                    "serviceAccount.delete", "DELETE", accounts + "/{account}",
                    "Removes a service account: its key opens nothing any more.", access: .project(.administrator),
                    handler: deleteAccount),
                ConsoleEndpoint(
                    "serverKey.list", "GET", keys, "Lists the legacy server keys of a project, without the keys.",
                    access: .project(.viewer), query: ConsolePage.parameters,
                    answer: .json(.page("serverKeys", of: .reference("ServerKey"))), handler: listKeys),
                ConsoleEndpoint(
                    "serverKey.create", "POST", keys, "Makes a legacy server key, which is shown this once.",
                    access: .project(.administrator),
                    answer: .json(
                        .object([.required("serverKeyId", .text(1)), .required("key", .text(1))])),
                    handler: createKey),
                ConsoleEndpoint(
                    "serverKey.delete", "DELETE", keys + "/{serverKey}", "Removes a legacy server key.",
                    access: .project(.administrator), handler: deleteKey),
            ],
            schemas: [
                "ServiceAccount": .object([
                    .required("serviceAccountId", .text(1)), .required("email", .text(1)),
                    .required("keyId", .text(1), "private_key_id of the key file."), .required("isEnabled", .flag),
                ]),
                "ServerKey": .object([.required("serverKeyId", .text(1)), .required("createdAt", .time)]),
            ])
    }

    private func listAccounts(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let after = try page.integerKey() ?? 0
        let accounts = store.serviceAccounts(of: request.project.number).filter { $0.serial > after }
        return page.answer("serviceAccounts", Array(accounts.prefix(page.size + 1)), key: \.serial) { json($0) }
    }

    private func createAccount(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let name = request.body["accountName"]?.string ?? "firebase-adminsdk"
        guard name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isSmallLetterOrDigit($0) }) else {
            throw .invalidField("accountName", "accountName has small letters, digits and hyphens.")
        }
        let project = request.project
        let file: ServiceAccountKeyFile
        do throws(CryptoError) {
            file = try .generate(
                projectID: project.id.text, email: "\(name)@\(project.id).iam.gserviceaccount.com",
                tokenURI: address.serverURL(seenBy: request.head) + "/token")
        } catch {
            throw GoogleError(.internal, "No key could be made: \(error).")
        }
        let account = try await asking { () async throws(StoreError) in
            try await store.addServiceAccount(
                email: file.email, in: project.number, keyID: file.keyID, publicKey: file.privateKey.publicKey.der)
        }
        let content = (try? JSONValue(parsing: file.encoded)) ?? [:]
        return .json(["serviceAccount": json(account), "keyFile": content]).audited(account.email, account.keyID)
    }

    private func isSmallLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private func deleteAccount(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let serial = Int64(request[path: "account"])
        let accounts = store.serviceAccounts(of: request.project.number)
        guard let account = accounts.first(where: { $0.serial == serial }) else { throw .absent("service account") }
        try await asking { () async throws(StoreError) in
            try await store.removeServiceAccount(serial: account.serial)
        }
        return .done.audited(account.email, account.keyID)
    }

    private func listKeys(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let page = try request.page()
        let after = try page.integerKey() ?? 0
        let keys = try await asking { () async throws(StoreError) in
            try store.serverKeys(of: request.project.number)
        }.filter { $0.serial > after }
        return page.answer("serverKeys", Array(keys.prefix(page.size + 1)), key: \.serial) { key in
            ["serverKeyId": .string(String(key.serial)), "createdAt": .string(key.createdAt.rfc3339)]
        }
    }

    private func createKey(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        let key = ServerKeyText.generate()
        let serial = try await asking { () async throws(StoreError) in
            try await store.addServerKey(hash: SHA256.hash(Array(key.utf8)), to: request.project.number)
        }
        return .json(["serverKeyId": .string(String(serial)), "key": .string(key)]).audited(String(serial))
    }

    private func deleteKey(_ request: ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer {
        guard let serial = Int64(request[path: "serverKey"]) else { throw .absent("server key") }
        try await asking { () async throws(StoreError) in
            try await store.removeServerKey(serial: serial, of: request.project.number)
        }
        return .done
    }

    private func json(_ account: ServiceAccount) -> JSONValue {
        [
            "serviceAccountId": .string(String(account.serial)), "email": .string(account.email),
            "keyId": .string(account.keyID), "isEnabled": .bool(account.isEnabled),
        ]
    }
}
