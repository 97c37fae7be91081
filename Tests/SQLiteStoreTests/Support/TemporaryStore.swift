import Glibc
import PushCore
import PushModel
import Timekeeping

@testable import SQLiteStore

/// A data directory that is deleted with the value, and stores opened on it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = "/tmp/pharos-store-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
        mkdir(path, 0o700)
    }

    deinit {
        Self.remove(path)
    }

    var data: DataDirectory { DataDirectory(path: path + "/data") }

    func open(
        role: SQLiteStore.Role = .administration, clock: any WallClock = ManualClock(.testStart), retention: Int64 = 7,
        capacity: Int = 20_000, messageBytes: Int64 = 256 << 20
    ) throws -> SQLiteStore {
        try SQLiteStore(
            data, role: role,
            options: SQLiteStore.Options(
                clock: clock, hash: { testHash($0) }, eventRetentionDays: retention,
                messageBytesPerProject: messageBytes, writeQueueCapacity: capacity))
    }

    private static func remove(_ path: String) {
        for name in contents(of: path) { remove(path + "/" + name) }
        Glibc.remove(path)
    }

    static func contents(of path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
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
}

extension Timestamp {
    static let testStart = Timestamp(seconds: 1_700_000_000)
}

/// Stands in for SHA-256: 32 bytes that depend on every byte of the input.
func testHash(_ bytes: [UInt8]) -> [UInt8] {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    return (0..<32).map { place in
        for byte in bytes + [UInt8(place)] { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return UInt8(truncatingIfNeeded: state >> 32)
    }
}
