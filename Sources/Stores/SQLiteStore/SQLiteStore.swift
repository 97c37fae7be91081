public import PushCore
import PushModel
import Synchronization
public import Timekeeping

/// Everything that Pharos knows, in one SQLite database of a data directory.
///
/// Reads are synchronous, on connections of their own. Writes go to one thread that commits what waits together, so a
/// caller suspends until its change is on the disk. Several processes may have the directory open; one of them may be
/// a server.
public final class SQLiteStore: Sendable {
    /// What the process that opens the directory is about to do.
    public enum Role: Sendable {
        /// Serve devices and senders: one process at a time.
        case server
        /// Look and change settings, beside a running server or without one.
        case administration
    }

    public struct Options: Sendable {
        /// Time of rows that carry the moment of their making.
        public var clock: any WallClock
        /// SHA-256, for secrets that are only ever compared.
        public var hash: @Sendable ([UInt8]) -> [UInt8]
        /// Gives so many random bytes that nobody can foresee.
        public var randomBytes: @Sendable (_ count: Int) -> [UInt8]
        /// How long the outcome of each single delivery is kept; counts are kept for ever.
        public var eventRetentionDays: Int64
        /// How long a message is kept after its last delivery, for the inspector; 0 for no longer than it is needed.
        public var messageRetentionDays: Int64
        /// Bytes of one project's messages that are kept; the oldest go first.
        public var messageBytesPerProject: Int64
        /// More writes than this wait for no one: they are refused.
        public var writeQueueCapacity: Int
        /// Registrations that a server keeps in memory, about half a kilobyte each.
        public var rememberedRegistrations: Int

        public init(
            clock: any WallClock = SystemClock(), hash: @escaping @Sendable ([UInt8]) -> [UInt8],
            randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8] = { SQLiteStore.systemRandomBytes($0) },
            eventRetentionDays: Int64 = 7, messageRetentionDays: Int64 = 7,
            messageBytesPerProject: Int64 = 256 << 20, writeQueueCapacity: Int = 20_000,
            rememberedRegistrations: Int = 20_000
        ) {
            self.clock = clock
            self.hash = hash
            self.randomBytes = randomBytes
            self.eventRetentionDays = eventRetentionDays
            self.messageRetentionDays = messageRetentionDays
            self.messageBytesPerProject = messageBytesPerProject
            self.writeQueueCapacity = writeQueueCapacity
            self.rememberedRegistrations = rememberedRegistrations
        }
    }

    public let dataDirectory: DataDirectory
    /// 32 random bytes, made with the directory and never changed: what tokens are sealed with.
    public let serverSecret: [UInt8]

    let clock: any WallClock
    let identity: FreshIdentity
    let deviceSecret: DeviceSecret
    let readers: ReaderPool
    let texts = TextCache()
    let registrations: RegistrationCache
    let messages = MessageCache()
    let directory: DirectoryCache
    let writer: Writer
    private let lock: Mutex<ServerLock?>

    /// Opens the data directory, which is made when it is missing, and brings its schema up to date. Blocks on the disk.
    ///
    /// - Throws: `StoreError.unavailable` with what to do about it.
    public init(_ dataDirectory: DataDirectory, role: Role, options: Options) throws(StoreError) {
        try dataDirectory.create()
        let serverLock = role == .server ? try ServerLock(dataDirectory) : nil
        let database = try Self.open(dataDirectory, options: options)
        self.dataDirectory = dataDirectory
        serverSecret = database.secret
        clock = options.clock
        identity = FreshIdentity(randomBytes: options.randomBytes)
        deviceSecret = DeviceSecret(hash: options.hash)
        readers = ReaderPool(path: dataDirectory.databasePath)
        directory = try DirectoryCache(readers: readers)
        registrations = RegistrationCache(limit: role == .server ? options.rememberedRegistrations : 0)
        let context = try WriteContext(
            connection: database.connection,
            eventRetentionMilliseconds: options.eventRetentionDays.multipliedReportingOverflow(by: 86_400_000)
                .partialValue, registrations: registrations,
            retention: MessageRetention(
                milliseconds: options.messageRetentionDays.multipliedReportingOverflow(by: 86_400_000).partialValue,
                bytesPerProject: options.messageBytesPerProject), clock: options.clock)
        // What cannot be deleted or moved now, because the disk is full, is at a later start.
        if role == .server {
            try? ProjectRemoval.finishAll(in: context)
            try? context.returnAllToGateway()
        }
        writer = try Writer(
            context: context, path: dataDirectory.databasePath, queueCapacity: options.writeQueueCapacity)
        lock = Mutex(serverLock)
    }

    deinit {
        close()
    }

    /// Writes what waits, refuses everything after it, and lets go of the directory. Blocks until it is done.
    public func close() {
        writer.close()
        readers.close()
        lock.withLock { $0 = nil }
    }

    /// Bytes from the system's generator.
    public static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
