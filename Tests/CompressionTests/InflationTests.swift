import Compression
import PropertyTesting
import Testing

@Suite struct `Compressed bodies` {
    /// `hello` in a gzip member made by another program (RFC 1952).
    static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86,
        0xA6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
    ]

    private func inflate(_ bytes: [UInt8], _ format: CompressionFormat = .gzip, limit: Int = 1_000) throws -> [UInt8] {
        try Inflation.inflate(bytes, format: format, maximumBytes: limit)
    }

    @Test func `reads a foreign gzip member`() throws {
        #expect(try inflate(Self.hello) == Array("hello".utf8))
    }

    @Test func `reads members in a row as one text`() throws {
        #expect(try inflate(Self.hello + Self.hello) == Array("hellohello".utf8))
    }

    @Test(arguments: [CompressionFormat.gzip, .zlib], [0, 1, 300, 16_384, 100_000])
    func `gives back what was compressed`(format: CompressionFormat, count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = generator.bytes(count)
        let compressed = Deflation.deflate(bytes, format: format)
        #expect(try inflate(compressed, format, limit: count) == bytes)
    }

    @Test func `stops a bomb at the limit`() {
        let bomb = Deflation.deflate([UInt8](repeating: 0, count: 5_000_000), format: .gzip, level: 9)
        #expect(bomb.count < 6_000)
        #expect(throws: CompressionError.tooLarge(maximumBytes: 1_000)) { try inflate(bomb) }
        #expect(throws: CompressionError.tooLarge(maximumBytes: 7)) { try inflate(Self.hello + Self.hello, limit: 7) }
        #expect(throws: CompressionError.tooLarge(maximumBytes: 0)) { try inflate(Self.hello, limit: 0) }
    }

    @Test func `takes output of exactly the limit`() throws {
        #expect(try inflate(Self.hello, limit: 5).count == 5)
    }

    @Test func `notices every truncation`() {
        for count in Self.hello.indices {
            #expect(throws: CompressionError.truncated) { try inflate(Array(Self.hello.prefix(count))) }
            guard count > 0 else { continue }
            #expect(throws: CompressionError.truncated) { try inflate(Self.hello + Self.hello.prefix(count)) }
        }
    }

    @Test func `refuses what is no gzip`() {
        var wrongChecksum = Self.hello
        wrongChecksum[18] ^= 1
        var wrongLength = Self.hello
        wrongLength[21] ^= 1
        let rows = [
            Array("{\"a\":1}".utf8), wrongChecksum, wrongLength, Self.hello + [0, 0], Self.hello + Array("xy".utf8),
        ]
        for row in rows { #expect(throws: CompressionError.corrupt) { try inflate(row) } }
        #expect(throws: CompressionError.corrupt) { try inflate(Self.hello, .zlib) }
        #expect(throws: CompressionError.corrupt) { try inflate(Deflation.deflate([1], format: .zlib) + [1], .zlib) }
        #expect(throws: CompressionError.corrupt) { try inflate(Deflation.deflate([1], format: .zlib)) }
    }

    @Test func `survives any damage`() {
        var generator = SeededGenerator(seed: 3)
        let original = Deflation.deflate(Array(repeating: Self.hello, count: 40).flatMap { $0 }, format: .gzip)
        for _ in 0..<5_000 {
            let bytes = generator.mutate(original)
            if let output = try? inflate(bytes) { #expect(output.count <= 1_000) }
        }
    }
}
