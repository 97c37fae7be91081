import Glibc
import PushCore

/// Copies files with their modes and makes the copies durable.
enum FileCopy {
    private static let bufferBytes = 1 << 18

    /// Copies one regular file. The copy appears under its name when it is complete.
    static func copy(_ source: String, to destination: String) throws(StoreError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure("open", source) }
        defer { close(input) }
        var status = stat()
        guard fstat(input, &status) == 0 else { throw failure("read", source) }
        let partial = destination + ".partial"
        let output = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, status.st_mode & 0o700)
        guard output >= 0 else { throw failure("write", partial) }
        defer { close(output) }
        try pump(input, output, source, partial)
        guard fsync(output) == 0 else { throw failure("write", partial) }
        guard rename(partial, destination) == 0 else { throw failure("write", destination) }
    }

    /// Copies every regular file of a directory and of those inside it, but for the names to skip.
    static func copyFiles(
        of source: String, to destination: String, skipping names: Set<String>
    ) throws(StoreError) {
        for name in try contents(of: source) where !names.contains(name) {
            let (from, into) = (source + "/" + name, destination + "/" + name)
            var status = stat()
            guard lstat(from, &status) == 0 else { throw failure("read", from) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: try copy(from, to: into)
            case S_IFDIR:
                guard mkdir(into, 0o700) == 0 || errno == EEXIST else { throw failure("make", into) }
                try copyFiles(of: from, to: into, skipping: [])
            default: break
            }
        }
        try syncDirectory(destination)
    }

    /// Makes the names in a directory durable.
    static func syncDirectory(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("write", path) }
    }

    private static func contents(of path: String) throws(StoreError) -> [String] {
        guard let directory = opendir(path) else { throw failure("read", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func pump(
        _ input: Int32, _ output: Int32, _ source: String, _ destination: String
    ) throws(StoreError) {
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: bufferBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(input, buffer, bufferBytes)
            if count == 0 { return }
            guard count > 0 else { throw failure("read", source) }
            var written = 0
            while written < count {
                let step = write(output, buffer + written, count - written)
                guard step > 0 else { throw failure("write", destination) }
                written += step
            }
        }
    }

    private static func failure(_ action: String, _ path: String) -> StoreError {
        .unavailable("Cannot \(action) \(path): \(String(cString: strerror(errno))).")
    }
}
