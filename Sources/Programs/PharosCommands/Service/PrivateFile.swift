import Glibc

/// Reading and writing small files whole.
enum PrivateFile {
    /// The bytes of a file of at most `limit` bytes.
    static func read(_ path: String, limit: Int = 1 << 20) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw .failed("\(path) is larger than \(limit) bytes.", nextStep: "Check that it is the right file.")
            }
        }
    }

    /// The path from the root, links resolved; the path itself when there is no such file.
    static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Writes a file so that a reader sees the old one or the new one, whole; durable when it returns.
    /// - Parameter mode: 0600 for secrets.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(CommandFailure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure("write", path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                close(descriptor)
                throw failure("write", path)
            }
            rest = rest.dropFirst(count)
        }
        fchmod(descriptor, mode)
        let isSynced = fsync(descriptor) == 0
        close(descriptor)
        guard isSynced, rename(temporary, path) == 0 else { throw failure("write", path) }
    }

    /// Makes a directory that only its owner may enter; an existing one is kept.
    static func makeDirectory(_ path: String) throws(CommandFailure) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make", path) }
    }

    private static func failure(_ verb: String, _ path: String) -> CommandFailure {
        .failed(
            "Cannot \(verb) \(path): \(String(cString: strerror(errno))).",
            nextStep: "Check that the path exists and that you may \(verb) it.")
    }
}
