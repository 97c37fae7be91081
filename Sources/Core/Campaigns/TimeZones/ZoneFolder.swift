import Glibc
import Synchronization

/// Where the rules of time zones come from.
public protocol TimeZones: Sendable {
    /// `nil` when there is no zone of that name.
    func rules(named name: String) -> ZoneRules?
}

/// The tz database of the system. Zones are read once; a process that runs for months keeps what it has read until it
/// starts again.
public final class ZoneFolder: TimeZones {
    public static let systemPath = "/usr/share/zoneinfo"
    private static let maximumNameBytes = 64
    /// The database has about 600 names.
    private static let maximumRemembered = 1_000

    private let path: String
    private let known = Mutex<[String: ZoneRules]>([:])

    public init(path: String = systemPath) {
        self.path = path
    }

    /// Whether the database is there at all. Without it there is `UTC` alone.
    public var isPresent: Bool { access(path + "/Europe/Berlin", R_OK) == 0 || access(path + "/Etc/UTC", R_OK) == 0 }

    public func rules(named name: String) -> ZoneRules? {
        if name == "UTC" { return .utc }
        guard Self.isName(name) else { return nil }
        if let rules = known.withLock({ $0[name] }) { return rules }
        guard let bytes = read(name), let rules = try? ZoneRules(tzif: bytes) else { return nil }
        known.withLock { known in
            if known.count < Self.maximumRemembered { known[name] = rules }
        }
        return rules
    }

    /// Words of letters, digits and `_ + -` between slashes: none can lead out of the folder.
    static func isName(_ name: String) -> Bool {
        guard (1...maximumNameBytes).contains(name.utf8.count) else { return false }
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.first?.isLetter == true
                && word.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }

    private func read(_ name: String) -> [UInt8]? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: ZoneRules.maximumFileBytes + 1)
        var count = 0
        while count < bytes.count {
            let added = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if added < 0 && errno == EINTR { continue }
            guard added >= 0 else { return nil }
            guard added > 0 else { return Array(bytes[..<count]) }
            count += added
        }
        return nil
    }
}
