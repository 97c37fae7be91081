import JSON
import Testing

@Suite struct `JSON properties` {
    @Test(arguments: 1...20) func `what is written reads back the same`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = randomValue(depth: 5, &random)
            #expect(try JSONValue(parsing: value.encoded) == value)
            #expect(try JSONValue(parsing: value.prettyPrinted) == value)
            #expect(try JSONValue(parsing: value.encoded).encoded == value.encoded)
        }
    }

    @Test(arguments: 1...20) func `no damage to a text traps a reader`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var text = randomValue(depth: 4, &random).encoded
            for _ in 0...Int.random(in: 0..<4, using: &random) { damage(&text, &random) }
            let tree = Result { try JSONValue(parsing: text) }
            let pass = Result {
                try JSONCursor.read(text) { (cursor) throws(JSONError) in
                    try cursor.skipValue()
                    try cursor.end()
                }
            }
            #expect((try? tree.get()) == nil ? (try? pass.get()) == nil : (try? pass.get()) != nil)
            if case .failure(let error as JSONError) = tree { _ = error.explanation(in: text) }
        }
    }

    private func randomValue(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: JSONNumber(Double(bitPattern: random.next())).map { .number($0) } ?? .null
        case 4: .string(randomText(&random))
        case 5: .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in randomValue(depth: depth - 1, &random) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                        (randomText(&random), randomValue(depth: depth - 1, &random))
                    }))
        }
    }

    private func randomText(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<14, using: &random) {
            let limit: UInt32 = [0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private func damage(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        guard let place = text.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.remove(at: place)
        case 1: text[place] = .random(in: .min ... .max, using: &random)
        case 2: text.insert(Array(#"{}[],:"\u0e1"#.utf8).randomElement(using: &random) ?? 0, at: place)
        default: text.removeSubrange(place...)
        }
    }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
