import Glibc
import HTTPSemantics
import JSON
import Synchronization

/// Appends each push to a file as one line of JSON: `{"path","headers","body"}`, body as text.
///
/// A line is written with one system call before the answer goes out, so a reader that waits for the answer finds it.
/// The descriptor never changes, and appending writes do not mix.
public final class PushRecorder: Sendable {
    public enum Failure: Error, Equatable {
        /// `code` is the `errno`.
        case cannotOpen(path: String, code: Int32)
    }

    private let descriptor: Int32
    private let failed = Atomic(false)

    /// Opens the file, made when it is not there, for appending.
    public init(path: String) throws(Failure) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Whether a line could not be written, for lack of space for example.
    public var hasFailed: Bool { failed.load(ordering: .relaxed) }

    func record(path: String, fields: HTTPFields, body: [UInt8]) {
        let line = Self.line(path: path, fields: fields, body: body)
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count != line.count { failed.store(true, ordering: .relaxed) }
    }

    static func line(path: String, fields: HTTPFields, body: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: body.count + 1024)
        PushListing.write(path: path, fields: fields, body: body, to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

/// The form of a push in the recording and in the emulator's listing.
enum PushListing {
    static func write(path: String, fields: HTTPFields, body: [UInt8], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("path", path)
        writer.key("headers")
        writer.beginObject()
        var seen: Set<String> = []
        for line in fields.lines where seen.insert(line.name).inserted { writer.member(line.name, line.value) }
        writer.endObject()
        writer.member("body", String(decoding: body, as: UTF8.self))
        writer.endObject()
    }
}
