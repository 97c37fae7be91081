import FirebasePlatform
import JSON
import MCSWire

/// Where messages of the app outlive the process: a small file for each, and an index that says which files count.
///
/// A file is written before the index names it, and removed after: whenever the process ends, every message named is
/// whole. A file that no index names is overwritten when its number is used again.
struct UpstreamStore: Sendable {
    private static let folder = "Google/FirebaseMessaging/upstream"
    private static let index = folder + "/index.json"

    private let files: any FileStore
    /// File number by persistent id.
    private var numbers: [UInt64: Int] = [:]

    init(files: any FileStore) {
        self.files = files
    }

    /// What is stored. Anything that cannot be read is left out.
    mutating func load() -> [UInt64: UpstreamMessage] {
        guard let bytes = try? files.read(Self.index), let list = (try? JSONValue(parsing: bytes))?["files"]?.array
        else { return [:] }
        var messages: [UInt64: UpstreamMessage] = [:]
        for number in list.compactMap({ $0.int64.flatMap(Int.init(exactly:)) }) {
            guard (0..<UpstreamQueue.maximumCount).contains(number), let message = read(number),
                let id = UInt64(message.stanza.persistentID), numbers[id] == nil
            else { continue }
            numbers[id] = number
            messages[id] = message
        }
        return messages
    }

    mutating func add(_ message: UpstreamMessage, id: UInt64) throws(FileStoreError) {
        let used = Set(numbers.values)
        guard let number = (0..<UpstreamQueue.maximumCount).first(where: { !used.contains($0) }) else {
            throw FileStoreError(reason: "\(UpstreamQueue.maximumCount) messages wait already.")
        }
        try files.write(MCSPacket.dataMessage(message.stanza).frame, to: Self.path(number))
        var named = numbers
        named[id] = number
        try files.write(Self.bytes(of: named), to: Self.index)
        numbers = named
    }

    /// A failure costs a message that is sent again; the server knows it by its id.
    mutating func remove(_ ids: [UInt64]) {
        let gone = ids.compactMap { numbers.removeValue(forKey: $0) }
        guard !gone.isEmpty else { return }
        guard (try? files.write(Self.bytes(of: numbers), to: Self.index)) != nil else { return }
        for number in gone { try? files.remove(Self.path(number)) }
    }

    private func read(_ number: Int) -> UpstreamMessage? {
        guard let bytes = try? files.read(Self.path(number)) else { return nil }
        var reader = MCSFrameReader(maximumPayloadBytes: 1 << 16)
        reader.receive([MCSVersion.current] + bytes)
        guard case .version? = try? reader.next(), case .packet(.dataMessage(let stanza))? = try? reader.next() else {
            return nil
        }
        return UpstreamMessage(stanza: stanza)
    }

    private static func path(_ number: Int) -> String { "\(folder)/\(number)" }

    private static func bytes(of numbers: [UInt64: Int]) -> [UInt8] {
        let file: JSONValue = ["files": .array(numbers.values.sorted().map { .integer(Int64($0)) })]
        return file.encoded
    }
}
