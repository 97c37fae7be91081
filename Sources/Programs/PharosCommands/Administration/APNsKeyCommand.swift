import Bytes
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension AdministrationCommand {
    /// `pharos apns-key import`
    static let apnsKeyImport = AdministrationCommand(
        "apns-key import", "Gives a project what it shows to APNs: a .p8 key, or a certificate.", operands: ["FILE"],
        options: [
            .project, .value("key-id", "ID", "The key's id, 10 characters. Default: from the name AuthKey_ID.p8."),
            .value("team-id", "ID", "The team's id, 10 characters. Needed for a .p8 key."),
            .value(
                "environment", "ENVIRONMENT",
                "sandbox, production or both. Default: both for a key, what a certificate says for a certificate."),
            .value(
                "bundle-id", "ID", "The app that it may serve. Default: all of the project, or the certificate's.",
                repeatable: true),
            .value("key", "FILE", "The private key, when the certificate's file does not hold it."),
            .value("password-file", "FILE", "The file with the password of a .p12 file."),
        ],
        discussion: """
            FILE is a .p8 key as Apple gives it, however it was pasted (line ends lost, as \\n, in quotes, bare base64);
            or a certificate with its key, as PEM or .p12. It replaces what served the same environment and apps before.
            """
    ) { (administration, arguments) async throws(CommandFailure) in
        let project = try await administration.project(arguments)
        let read = try APNsKeyFile(arguments, now: SystemClock().now())
        let credential = try await administration.ask { (store) throws(StoreError) in
            try await store.importAPNsCredential(
                read.kind, project: project.number, environments: read.environments, bundleIDs: read.bundleIDs)
        }
        let apps = credential.bundleIDs.isEmpty ? "all apps" : credential.bundleIDs.sorted().joined(separator: ", ")
        return CommandReport(
            text: """
                Imported for \(project.id): \(credential.environmentNames.joined(separator: " and ")), \(apps).
                Next: pharos doctor asks APNs whether it takes the key.
                """,
            json: .object(credential.json))
    }

    /// `pharos apns-key remove`
    static let apnsKeyRemove = AdministrationCommand(
        "apns-key remove", "Takes an APNs key or certificate away from its project.", operands: ["SERIAL"],
        discussion: "SERIAL is the number that pharos project show prints before it."
    ) { (administration, arguments) async throws(CommandFailure) in
        guard let serial = Int64(arguments.operands[0]) else {
            throw .usage("“\(arguments.operands[0])” is no number.", nextStep: "See: pharos project show PROJECT")
        }
        try await administration.ask { (store) throws(StoreError) in
            try await store.removeAPNsCredential(serial: serial)
        }
        return CommandReport(text: "APNs credential \(serial) is removed.", json: ["removed": .integer(serial)])
    }
}
