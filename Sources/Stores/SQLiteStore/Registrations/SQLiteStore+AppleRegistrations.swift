import Bytes
public import PushCore
public import PushModel

extension SQLiteStore: AppleRegistrations {
    public func registration(
        of token: APNsDeviceToken, bundleID: String, in project: ProjectNumber
    ) throws(StoreError) -> Registration? {
        guard let address = Hex.decode(token.hex) else { return nil }
        return try readers.read { (connection) throws(StoreError) in
            let ids = try connection.all(
                """
                SELECT id FROM registrations WHERE address = ? AND ending IS NULL AND project = ?
                ORDER BY confirmed_at DESC, id DESC LIMIT 20
                """, address, project.value
            ) { RegistrationID(value: $0.integer(0)) }
            let reader = RegistrationReader(connection: connection, texts: texts)
            for id in ids {
                if let registration = try reader.registration(id), registration.bundleID == bundleID {
                    return registration
                }
            }
            return nil
        }
    }
}
