import Glibc
import PushCore

/// Held by the one server of a data directory for as long as it runs; the system lets go of it when the process ends,
/// however it ends.
final class ServerLock: Sendable {
    private let descriptor: Int32

    /// - Throws: When a server has the directory.
    init(_ directory: DataDirectory) throws(StoreError) {
        let path = directory.file(DataDirectory.serverLockName)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw directory.failure("open \(path)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .unavailable(
                "A Pharos server uses the data directory \(directory.path). Stop it, or name another directory with "
                    + "--data-dir.")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
