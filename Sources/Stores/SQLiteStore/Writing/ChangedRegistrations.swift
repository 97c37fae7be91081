import CSQLite
import Glibc
import PushModel

/// Which registrations the running transaction changes, as SQLite itself reports them: no statement can be forgotten.
// Not Sendable on purpose: it lives and dies with the writer's thread.
final class ChangedRegistrations {
    private var ids: [RegistrationID] = []

    /// What changed since the last call.
    func takeAll() -> [RegistrationID] {
        defer { ids.removeAll(keepingCapacity: true) }
        return ids
    }

    /// Begins to listen. The connection must not outlive this object's owner.
    func observe(_ connection: Connection) {
        connection.observeRows(Unmanaged.passUnretained(self).toOpaque()) { context, _, _, table, row in
            guard let context, let table, ChangedRegistrations.isAboutRegistrations(table) else { return }
            Unmanaged<ChangedRegistrations>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.ids.append(RegistrationID(value: row))
            }
        }
    }

    /// Rows of these tables have the number of their registration.
    private static func isAboutRegistrations(_ table: UnsafePointer<CChar>) -> Bool {
        strcmp(table, "registrations") == 0 || strcmp(table, "web_subscriptions") == 0
    }
}
