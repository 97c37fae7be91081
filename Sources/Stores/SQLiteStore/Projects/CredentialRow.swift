import PushModel

/// An APNs credential as a row: a signing key has a key id and a team id, a certificate has a chain.
enum CredentialRow {
    static let query: StaticString = """
        SELECT serial, project, environments, bundle_ids, key_pem, key_id, team_id, chain_pem
        FROM apns_credentials ORDER BY serial
        """

    static func credential(_ row: Row) -> APNsCredential {
        let kind: APNsCredential.Kind =
            row.isNull(7)
            ? .signingKey(pem: row.text(4), keyID: row.text(5), teamID: row.text(6))
            : .certificate(chainPEM: row.text(7), keyPEM: row.text(4))
        return APNsCredential(
            serial: row.integer(0), project: ProjectNumber(value: UInt64(bitPattern: row.integer(1))), kind: kind,
            environments: environments(row.integer(2)), bundleIDs: bundleIDs(row.text(3)))
    }

    static func environments(_ code: Int64) -> Set<APNsEnvironment> {
        Set(APNsEnvironment.allCases.filter { code & $0.code != 0 })
    }

    static func code(_ environments: Set<APNsEnvironment>) -> Int64 {
        environments.reduce(0) { $0 | $1.code }
    }

    static func bundleIDs(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").map(String.init))
    }

    static func text(_ bundleIDs: Set<String>) -> String {
        bundleIDs.sorted().joined(separator: "\n")
    }
}
