import PropertyTesting
import Testing

@testable import TLSRecordWire

@Suite struct `TLS records` {
    @Test(arguments: TLSCipherSuite.allCases)
    func `come back whole, however they are cut`(suite: TLSCipherSuite) throws {
        var random = SeededGenerator(seed: 8446)
        let pair = Pair(suite)
        for _ in 0..<100 {
            let contents = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                (0..<Int.random(in: 1...600, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            var waiting: [UInt8] = []
            var content: [UInt8] = []
            for piece in random.pieces(of: try contents.flatMap { try pair.record($0) }, longest: 300) {
                waiting += piece
                let outcome = pair.receive(waiting)
                #expect(outcome.end == nil)
                waiting.removeFirst(outcome.received.consumed)
                content += outcome.content
            }
            #expect(content == contents.flatMap { $0 } && waiting.isEmpty)
        }
    }

    @Test(arguments: [0, 1, 16_383, 16_384]) func `carry up to 16,384 bytes`(count: Int) throws {
        let pair = Pair(.aes256GCM)
        let content = [UInt8](repeating: 5, count: count)
        #expect(pair.receive(try pair.record(content)).content == content)
        #expect(throws: TLSAlert.internalError) { try pair.record([UInt8](repeating: 5, count: 16_385)) }
    }

    @Test(arguments: TLSCipherSuite.allCases)
    func `that were changed anywhere are refused`(suite: TLSCipherSuite) throws {
        for place in [5, 9, 24, 36, 37, 52] {
            let pair = Pair(suite)
            var record = try pair.record(Array("thirty-one bytes of plain text.".utf8))
            record[place] ^= 1
            let outcome = pair.receive(record)
            #expect(outcome.end == .violation(.badRecordMAC) && outcome.content.isEmpty, "byte \(place)")
        }
    }

    @Test func `that come again, or out of their order, are refused`() throws {
        let pair = Pair(.chaCha20Poly1305)
        let records = try [pair.record([1]), pair.record([2])]
        #expect(pair.receive(records[0] + records[0]).end == .violation(.badRecordMAC))
        #expect(Pair(.chaCha20Poly1305).receive(records[1]).end == .violation(.badRecordMAC))
    }

    static let badHeaders: [(what: String, bytes: [UInt8], alert: TLSAlert)] = [
        ("a bare handshake message", [22, 3, 3, 0, 40], .unexpectedMessage),
        ("a change of cipher", [20, 3, 3, 0, 1, 1], .unexpectedMessage),
        ("a bare alert", [21, 3, 3, 0, 2, 1, 0], .unexpectedMessage),
        ("plain text", Array("GET / HTTP/1.1".utf8), .unexpectedMessage),
        ("a length of nothing", [23, 3, 3, 0, 0], .decodeError),
        ("no more than a tag", [23, 3, 3, 0, 16] + [UInt8](repeating: 0, count: 16), .decodeError),
        ("one byte too many", [23, 3, 3, 0x41, 0x01], .recordOverflow),
        ("the longest length", [23, 3, 3, 255, 255], .recordOverflow),
    ]

    @Test(arguments: badHeaders.indices) func `with a bad header are refused before their rest has come`(row: Int) {
        let (what, bytes, alert) = Self.badHeaders[row]
        #expect(Pair(.aes128GCM).receive(bytes).end == .violation(alert), "\(what)")
    }

    static let badContents: [(what: String, inner: [UInt8], end: TLSRecordLayer.End?)] = [
        ("padding", [7, 23] + [UInt8](repeating: 0, count: 200), nil),
        ("nothing but padding", [0, 0, 0], .violation(.unexpectedMessage)),
        ("an unknown type", [1, 2, 24], .violation(.unexpectedMessage)),
        ("a change of cipher", [1, 20], .violation(.unexpectedMessage)),
        (
            "more content than a record may have", [UInt8](repeating: 1, count: 16_385) + [23],
            .violation(.recordOverflow)
        ),
        ("a session ticket", [4, 0, 0, 0, 22], .violation(.unexpectedMessage)),
        ("an empty message", [22], .violation(.unexpectedMessage)),
        ("a key update of no length", [24, 22], .violation(.decodeError)),
        ("a long key update", [24, 0, 0, 2, 0, 0, 22], .violation(.decodeError)),
        ("two key updates in one record", [24, 0, 0, 1, 0, 24, 0, 0, 1, 0, 22], .violation(.decodeError)),
        ("a key update that asks for something else", [24, 0, 0, 1, 2, 22], .violation(.illegalParameter)),
        ("a short alert", [1, 21], .violation(.decodeError)),
        ("two alerts", [1, 0, 1, 0, 21], .violation(.decodeError)),
        ("a goodbye", [1, 0, 21], .closed),
        ("a goodbye that calls itself fatal", [2, 0, 21], .closed),
        ("a canceled user", [1, 90, 21], nil),
        ("an alert that calls itself a warning", [1, 40, 21], .peerAlert(40)),
        ("an alert of no known number", [2, 200, 21], .peerAlert(200)),
    ]

    @Test(arguments: badContents.indices) func `end the connection as their content says`(row: Int) {
        let (what, inner, end) = Self.badContents[row]
        let pair = Pair(.aes128GCM)
        #expect(pair.receive(pair.raw(inner)).end == end, "\(what)")
    }

    @Test func `without content are taken 32 times in a row`() throws {
        let pair = Pair(.aes128GCM)
        for _ in 0..<3 {
            for _ in 0..<32 { #expect(pair.receive(pair.raw([23])).end == nil) }
            #expect(pair.receive(try pair.record([1])).content == [1])
        }
        for _ in 0..<32 {
            #expect(pair.receive(pair.raw([24, 0, 0, 1, 0, 22])).end == nil)
            pair.client.writing.update()
        }
        #expect(pair.receive(pair.raw([23])).end == .violation(.unexpectedMessage))
    }

    @Test(arguments: TLSCipherSuite.allCases)
    func `take new keys in both directions`(suite: TLSCipherSuite) throws {
        let pair = Pair(suite)
        for round in UInt8(0)..<20 {
            #expect(pair.receive(try pair.record([round])).content == [round])
            let asked = pair.receive(pair.raw([24, 0, 0, 1, round & 1, 22]))
            pair.client.writing.update()
            #expect(asked.received.answers.isEmpty == (round & 1 == 0))
            // The answer is sealed with the old key, what follows it with the new one.
            let answer = try asked.received.answers + pair.server.record([round, 1], with: pair.ciphers)
            let got = pair.client.receive(answer, with: pair.ciphers)
            #expect(got.content == [round, 1] && got.end == nil && got.received.answers.isEmpty)
        }
    }

    @Test func `of a key that has protected enough are followed by a new key`() throws {
        let pair = Pair(.aes128GCM)
        #expect(!pair.client.needsNewWritingKey)
        let update = try pair.client.renewWritingKey(with: pair.ciphers)
        let outcome = pair.receive(update + (try pair.record([9])))
        #expect(outcome.content == [9] && outcome.received.answers.isEmpty)
    }

    @Test func `survive anything that a peer with the right keys can write`() {
        var random = SeededGenerator(seed: 5246)
        for _ in 0..<2_000 {
            let pair = Pair(TLSCipherSuite.allCases.randomElement(using: &random) ?? .aes128GCM)
            var stream: [UInt8] = []
            for _ in 0..<4 {
                let count = Int.random(in: 1...12, using: &random)
                stream += pair.raw(
                    (0..<count).map { _ in [0, 1, 2, 21, 22, 23, 24, 90].randomElement(using: &random) ?? 0 })
            }
            var waiting: [UInt8] = []
            for piece in random.pieces(of: stream, longest: 50) {
                waiting += piece
                let outcome = pair.receive(waiting)
                #expect(outcome.received.consumed <= waiting.count)
                guard outcome.end == nil else { break }
                waiting.removeFirst(outcome.received.consumed)
            }
        }
    }

    @Test func `survive anything that a stranger can write`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let pair = Pair(.aes256GCM)
            let stream = try pair.record([1, 2, 3]) + pair.record([UInt8](repeating: 4, count: 99))
            let outcome = pair.receive(random.mutate(stream, alphabet: [0, 3, 23, 0x80, 0xFF]))
            #expect(outcome.content.isEmpty || outcome.content == [1, 2, 3] || outcome.content.count == 102)
        }
    }

    @Test func `need secrets of their suite's length`() {
        for (suite, count) in [(TLSCipherSuite.aes128GCM, 48), (.aes256GCM, 32), (.chaCha20Poly1305, 0)] {
            let secret = [UInt8](repeating: 1, count: count)
            let layer = secret.withUnsafeBytes { TLSRecordLayer(suite: suite, readSecret: $0, writeSecret: $0) }
            #expect(layer == nil)
        }
    }
}
