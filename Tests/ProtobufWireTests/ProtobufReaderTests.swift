import PropertyTesting
import ProtobufWire
import Testing

@Suite struct `Protobuf reader` {
    /// Reads the only field of a message.
    private func read<Value>(
        _ bytes: [UInt8], _ read: (inout ProtobufReader) throws -> Value
    ) throws -> Value {
        var reader = ProtobufReader(bytes)
        _ = try #require(try reader.nextTag())
        let value = try read(&reader)
        #expect(try reader.nextTag() == nil)
        return value
    }

    /// Passes over a whole message.
    private func skim(_ bytes: [UInt8], maximumDepth: Int = 32) throws {
        var reader = ProtobufReader(bytes, maximumDepth: maximumDepth)
        while try reader.nextTag() != nil {}
    }

    @Test func `reads the examples of the encoding page`() throws {
        #expect(try read([0x08, 0x96, 0x01]) { try $0.readUInt64() } == 150)
        #expect(try read([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67]) { try $0.readString() } == "testing")
        let nested = try read([0x1A, 0x03, 0x08, 0x96, 0x01]) { try $0.readMessage() }
        var inner = nested
        #expect(try inner.nextTag() == ProtobufTag(field: 1, wireType: .varint))
        #expect(try inner.readInt32() == 150)
    }

    @Test func `reads numbers of every form`() throws {
        let minusTwo: [UInt8] = [0x08, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        #expect(try read(minusTwo) { try $0.readInt64() } == -2)
        #expect(try read(minusTwo) { try $0.readInt32() } == -2)
        #expect(try read([0x08, 0x03]) { try $0.readSInt64() } == -2)
        #expect(try read([0x08, 0x02]) { try $0.readBool() })
        #expect(try read([0x0D, 1, 2, 3, 4]) { try $0.readFixed32() } == 0x0403_0201)
        #expect(try read([0x09, 1, 2, 3, 4, 5, 6, 7, 8]) { try $0.readFixed64() } == 0x0807_0605_0403_0201)
        #expect(try read([0x0D, 0, 0, 0x80, 0x3F]) { try $0.readFloat() } == 1)
        #expect(try read([0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]) { try $0.readDouble() } == 1)
        let most: [UInt8] = [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        #expect(try read(most) { try $0.readUInt64() } == .max)
        #expect(try read([0x08, 0x80, 0x00]) { try $0.readUInt64() } == 0)
    }

    @Test func `skips values that nobody reads, groups too`() throws {
        try skim([0x08, 0x01, 0x0D, 1, 2, 3, 4, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x12, 0x01, 0x41])
        try skim([0x0B, 0x10, 0x01, 0x1B, 0x1C, 0x0C, 0x08, 0x01])
    }

    static let bad: [(name: String, bytes: [UInt8], error: ProtobufError)] = [
        ("tag cut off", [0x88], .truncated),
        ("varint cut off", [0x08, 0x96], .truncated),
        ("no value", [0x08], .truncated),
        ("varint of eleven bytes", [0x08] + [UInt8](repeating: 0x80, count: 10) + [0x01], .badVarint),
        ("varint of 65 bits", [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x02], .badVarint),
        ("fixed32 cut off", [0x0D, 1, 2, 3], .truncated),
        ("fixed64 cut off", [0x09, 1, 2, 3, 4, 5, 6, 7], .truncated),
        ("length beyond the end", [0x12, 0x02, 0x41], .truncated),
        ("length of 64 bits", [0x12] + [UInt8](repeating: 0xFF, count: 9) + [0x01], .truncated),
        ("length just below 2^63", [0x12] + [UInt8](repeating: 0xFF, count: 8) + [0x7F], .truncated),
        ("field 0", [0x00, 0x01], .badFieldNumber),
        ("field 2^29", [0x80, 0x80, 0x80, 0x80, 0x10, 0x01], .badFieldNumber),
        ("wire type 6", [0x0E, 0x01], .badWireType),
        ("wire type 7", [0x0F, 0x01], .badWireType),
        ("group ends without beginning", [0x0C], .badWireType),
        ("group does not end", [0x0B, 0x08, 0x01], .truncated),
        ("group ends as another", [0x0B, 0x14], .badWireType),
        ("groups too deep", [UInt8](repeating: 0x0B, count: 40), .nestedTooDeeply),
    ]

    @Test(arguments: bad.indices) func `refuses a bad message`(row: Int) {
        #expect(throws: Self.bad[row].error, "\(Self.bad[row].name)") { try skim(Self.bad[row].bytes) }
    }

    @Test func `refuses a field of another type than wanted`() {
        #expect(throws: ProtobufError.unexpectedWireType(.varint)) { try read([0x08, 1]) { try $0.readBytes() } }
        #expect(throws: ProtobufError.unexpectedWireType(.lengthDelimited)) {
            try read([0x12, 0]) { try $0.readUInt64() }
        }
        #expect(throws: ProtobufError.invalidUTF8) { try read([0x12, 1, 0xFF]) { try $0.readString() } }
        #expect(throws: ProtobufError.unexpectedWireType(.endGroup)) {
            try read([0x08, 1]) {
                _ = try $0.readUInt64()
                return try $0.readUInt64()
            }
        }
    }

    @Test func `limits how deep messages lie in each other`() throws {
        var writer = ProtobufWriter()
        for _ in 0..<5 {
            var outer = ProtobufWriter()
            outer.write(message: writer, field: 1)
            writer = outer
        }
        var reader = ProtobufReader(writer.bytes, maximumDepth: 3)
        for _ in 0..<3 {
            _ = try reader.nextTag()
            reader = try reader.readMessage()
        }
        _ = try reader.nextTag()
        #expect(throws: ProtobufError.nestedTooDeeply) { try reader.readMessage() }
    }

    @Test func `reads what the writer wrote`() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let number = generator.next() >> UInt64.random(in: 0...63, using: &generator)
            let bytes = generator.bytes(Int.random(in: 0...200, using: &generator))
            let field = Int.random(in: 1...536_870_911, using: &generator)
            var writer = ProtobufWriter()
            writer.write(number, field: field)
            writer.write(Int64(bitPattern: number), field: field)
            writer.writeZigZag(Int64(bitPattern: number), field: field)
            writer.writeFixed64(number, field: field)
            writer.writeFixed32(UInt32(truncatingIfNeeded: number), field: field)
            writer.write(number & 1 == 1, field: field)
            writer.write("é\(number)", field: field)
            writer.write(bytes: bytes, field: field)
            var reader = ProtobufReader(writer.bytes)
            func tag() throws { #expect(try reader.nextTag()?.field == field) }
            try tag()
            #expect(try reader.readUInt64() == number)
            try tag()
            #expect(try reader.readInt64() == Int64(bitPattern: number))
            try tag()
            #expect(try reader.readSInt64() == Int64(bitPattern: number))
            try tag()
            #expect(try reader.readFixed64() == number)
            try tag()
            #expect(try reader.readFixed32() == UInt32(truncatingIfNeeded: number))
            try tag()
            #expect(try reader.readBool() == (number & 1 == 1))
            try tag()
            #expect(try reader.readString() == "é\(number)")
            try tag()
            #expect(try reader.readBytes() == bytes[...])
            #expect(try reader.nextTag() == nil)
        }
    }

    @Test func `survives any damage`() {
        var generator = SeededGenerator(seed: 5)
        let original: [UInt8] = [0x08, 0x96, 0x01, 0x12, 0x02, 0x41, 0x42, 0x1B, 0x08, 0x01, 0x1C, 0x0D, 1, 2, 3, 4]
        for _ in 0..<20_000 { try? skim(generator.mutate(original, alphabet: [0x0B, 0x0C, 0x80, 0xFF])) }
    }
}
