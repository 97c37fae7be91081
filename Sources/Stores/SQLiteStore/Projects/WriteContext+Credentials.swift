import PushCore
import PushModel

extension WriteContext {
    /// Adds a credential. Others of the project for the same bundle ids no longer serve its environments.
    /// - Returns: The serial number.
    func importCredential(_ credential: APNsCredential, createdAt: Int64) throws(StoreError) -> Int64 {
        try requireProject(credential.project)
        let environments = CredentialRow.code(credential.environments)
        let bundleIDs = CredentialRow.text(credential.bundleIDs)
        try connection.change(
            "UPDATE apns_credentials SET environments = environments & ~? WHERE project = ? AND bundle_ids = ?",
            environments, credential.project.value, bundleIDs)
        try connection.change(
            "DELETE FROM apns_credentials WHERE project = ? AND environments = 0", credential.project.value)
        let serial = try insert(credential, environments: environments, bundleIDs: bundleIDs, createdAt: createdAt)
        try directoryChanged()
        return serial
    }

    func removeCredential(serial: Int64) throws(StoreError) {
        guard try connection.change("DELETE FROM apns_credentials WHERE serial = ?", serial) > 0 else {
            throw .notFound("There is no such APNs credential.")
        }
        try directoryChanged()
    }

    private func insert(
        _ credential: APNsCredential, environments: Int64, bundleIDs: String, createdAt: Int64
    ) throws(StoreError) -> Int64 {
        let columns = CredentialColumns(credential.kind)
        let serial = try connection.first(
            """
            INSERT INTO apns_credentials (project, environments, bundle_ids, key_pem, key_id, team_id, chain_pem,
                created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING serial
            """, credential.project.value, environments, bundleIDs, columns.keyPEM, columns.keyID, columns.teamID,
            columns.chainPEM, createdAt
        ) { $0.integer(0) }
        return serial ?? 0
    }
}

private struct CredentialColumns {
    let keyPEM: String
    let keyID, teamID, chainPEM: String?

    init(_ kind: APNsCredential.Kind) {
        switch kind {
        case .signingKey(let pem, let keyID, let teamID):
            (keyPEM, self.keyID, self.teamID, chainPEM) = (pem, keyID, teamID, nil)
        case .certificate(let chainPEM, let keyPEM):
            (self.keyPEM, keyID, teamID, self.chainPEM) = (keyPEM, nil, nil, chainPEM)
        }
    }
}
