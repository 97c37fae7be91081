/// Why bytes are no time zone.
public struct TZifError: Error, Sendable, Equatable {
    public let reason: String
}

extension ZoneRules {
    /// The longest file that is read; the largest of the database has four kilobytes.
    public static let maximumFileBytes = 65_536
    static let maximumTransitions = 4_000
    private static let maximumTypes = 256

    /// Reads a file of the tz database. Source: RFC 8536 §3. The second block counts, whose times have 64 bits; a file
    /// of the oldest version has only the first.
    public init(tzif bytes: [UInt8]) throws(TZifError) {
        guard bytes.count <= Self.maximumFileBytes else { throw TZifError(reason: "The file is too long.") }
        var reader = TZifReader(bytes: bytes)
        let header = try reader.header()
        guard header.version >= 2 else {
            let block = try reader.block(header, timeBytes: 4)
            let last = block.offsets.last ?? block.first
            self.init(times: block.times, offsets: block.offsets, first: block.first, later: .fixed(last))
            return
        }
        try reader.skipBlock(header, timeBytes: 4)
        let second = try reader.header()
        let block = try reader.block(second, timeBytes: 8)
        let last = block.offsets.last ?? block.first
        self.init(
            times: block.times, offsets: block.offsets, first: block.first, later: try reader.footer() ?? .fixed(last))
    }

    fileprivate static func check(_ header: TZifReader.Header) throws(TZifError) {
        guard header.times <= maximumTransitions, (1...maximumTypes).contains(header.types), header.leaps <= 1_000,
            header.characters <= 2_048, header.standardFlags <= header.types, header.utcFlags <= header.types
        else { throw TZifError(reason: "The counts are beyond what a zone has.") }
    }
}

/// Takes a TZif file apart.
private struct TZifReader {
    struct Header {
        var version: Int
        var utcFlags, standardFlags, leaps, times, types, characters: Int

        func blockBytes(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standardFlags + utcFlags
        }
    }

    struct Block {
        var times: [Int64]
        var offsets: [Int32]
        var first: Int32
    }

    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func take(_ count: Int) throws(TZifError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - place else { throw TZifError(reason: "The file is cut off.") }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let isNegative = bytes.first.map { $0 & 0x80 != 0 } ?? false
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    private mutating func count() throws(TZifError) -> Int {
        let value = Self.integer(try take(4))
        guard value >= 0 else { throw TZifError(reason: "A count is negative.") }
        return Int(value)
    }

    mutating func header() throws(TZifError) -> Header {
        guard Array(try take(4)) == Array("TZif".utf8), let version = try take(1).first else {
            throw TZifError(reason: "The file is no time zone.")
        }
        _ = try take(15)
        let number = version == 0 ? 1 : Int(version) - Int(UInt8(ascii: "0"))
        guard number >= 1 else { throw TZifError(reason: "The version is unknown.") }
        let header = Header(
            version: number, utcFlags: try count(), standardFlags: try count(), leaps: try count(),
            times: try count(), types: try count(), characters: try count())
        try ZoneRules.check(header)
        return header
    }

    mutating func skipBlock(_ header: Header, timeBytes: Int) throws(TZifError) {
        _ = try take(header.blockBytes(timeBytes: timeBytes))
    }

    mutating func block(_ header: Header, timeBytes: Int) throws(TZifError) -> Block {
        let end = place + header.blockBytes(timeBytes: timeBytes)
        guard end <= bytes.count else { throw TZifError(reason: "The file is cut off.") }
        var times: [Int64] = []
        for _ in 0..<header.times { times.append(Self.integer(try take(timeBytes))) }
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw TZifError(reason: "The changes are not in order.")
        }
        let indices = Array(try take(header.times))
        let types = try types(header.types)
        guard let first = types.first, indices.allSatisfy({ types.indices.contains(Int($0)) }) else {
            throw TZifError(reason: "A change has no type.")
        }
        place = end
        return Block(times: times, offsets: indices.map { types[Int($0)] }, first: first)
    }

    private mutating func types(_ count: Int) throws(TZifError) -> [Int32] {
        var types: [Int32] = []
        for _ in 0..<count {
            let offset = Self.integer(try take(4))
            _ = try take(2)
            guard offset.magnitude <= UInt64(ZoneRules.longestOffsetSeconds) else {
                throw TZifError(reason: "A zone cannot be that far from UTC.")
            }
            types.append(Int32(offset))
        }
        return types
    }

    /// The rule between two line ends; `nil` when it is empty.
    mutating func footer() throws(TZifError) -> PosixZoneRule? {
        guard try take(1).first == UInt8(ascii: "\n") else { throw TZifError(reason: "The file has no footer.") }
        guard let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) else {
            throw TZifError(reason: "The footer does not end.")
        }
        let text = Array(bytes[place..<end])
        guard !text.isEmpty else { return nil }
        guard let rule = PosixZoneRule(text) else { throw TZifError(reason: "The footer is no rule.") }
        return rule
    }
}
