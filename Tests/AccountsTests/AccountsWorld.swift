import Accounts
import Bytes
import Glibc
import PushCore
import SQLiteStore
import Synchronization
import Timekeeping

/// Accounts over a real store in a temporary directory, with a hash that costs nothing and a clock that stands still.
final class AccountsWorld: Sendable {
    let store: SQLiteStore
    let clock = ManualClock(Timestamp(seconds: 1_700_000_000))
    let accounts: Accounts
    let passwords = CountingPasswords()
    private let directory: String

    init(rules: SessionRules = SessionRules()) throws {
        directory = "/tmp/pharos-accounts-" + Hex.encode(SQLiteStore.systemRandomBytes(8))
        store = try SQLiteStore(
            DataDirectory(path: directory), role: .server,
            options: .init(clock: clock, hash: { CountingPasswords.digest($0) }))
        accounts = Accounts(
            store: store, clock: clock, passwords: passwords.hashing, sealing: CountingPasswords.sealing,
            rules: rules)
    }

    deinit {
        store.close()
        Self.remove(directory)
    }

    private static func remove(_ path: String) {
        if let contents = opendir(path) {
            while let entry = readdir(contents) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { remove(path + "/" + name) }
            }
            closedir(contents)
        }
        Glibc.remove(path)
    }

    func add(_ name: String, isAdministrator: Bool = false) async throws -> ConsoleUser {
        try await accounts.addUser(
            .init(name: name, password: Secret(Self.password), isAdministrator: isAdministrator))
    }

    func signIn(_ name: String = "ann", password: String = password, from address: String = "192.0.2.1")
        async throws(AccountError) -> NewSession
    {
        try await accounts.signIn(name: name, password: Secret(password), from: address)
    }

    static let password = "correct horse battery"
}

/// A password hash that is its own proof of having been asked.
final class CountingPasswords: Sendable {
    private let asked = Mutex<[String]>([])

    /// The hashes that passwords were compared with.
    var comparisons: [String] { asked.withLock { $0 } }

    var hashing: PasswordHashing {
        PasswordHashing(
            decoy: "nobody's",
            hash: { password async throws(AccountError) in "hash of " + password.reveal() },
            matches: { (password, hash) async throws(AccountError) in
                self.asked.withLock { $0.append(hash) }
                return hash == "hash of " + password.reveal()
            })
    }

    /// 32 bytes that depend on all of the text.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var state: [UInt64] = [1, 2, 3, 4]
        for byte in bytes {
            for place in state.indices {
                state[place] = (state[place] ^ UInt64(byte)) &* (0x100_0000_01b3 &+ UInt64(place) &* 2)
            }
        }
        return state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (UInt64($0) * 8)) } }
    }

    static var sealing: Sealing {
        Sealing(
            key: [1], mac: { digest($0 + $1) }, digest: { digest($0) }, isEqual: { $0 == $1 },
            random: { SQLiteStore.systemRandomBytes($0) })
    }
}
