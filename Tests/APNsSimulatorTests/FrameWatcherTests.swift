import Testing

@testable import APNsSimulator

@Suite struct `A frame watcher` {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private static func frame(_ type: UInt8, stream: UInt8, payload: Int) -> [UInt8] {
        [0, UInt8(payload >> 8), UInt8(payload & 255), type, 0, 0, 0, 0, stream] + Array(repeating: 1, count: payload)
    }

    private func requests(_ pieces: [[UInt8]]) -> Int {
        var watcher = FrameWatcher()
        return pieces.reduce(0) { count, piece in count + piece.withUnsafeBytes { watcher.receive($0) } }
    }

    @Test func `counts streams that begin, not trailers and other frames`() {
        let bytes =
            Self.preface + Self.frame(4, stream: 0, payload: 6) + Self.frame(1, stream: 1, payload: 300)
            + Self.frame(0, stream: 1, payload: 0) + Self.frame(1, stream: 1, payload: 5)
            + Self.frame(6, stream: 0, payload: 8) + Self.frame(1, stream: 3, payload: 0)
            + Self.frame(9, stream: 3, payload: 12) + Self.frame(1, stream: 5, payload: 1)
        #expect(requests([bytes]) == 3)
    }

    @Test func `counts the same however the bytes are cut`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var bytes = Self.preface
            for number in 0..<20 {
                let type: UInt8 = Bool.random(using: &generator) ? 1 : 0
                bytes += Self.frame(
                    type, stream: UInt8(2 * number + 1), payload: Int.random(in: 0...400, using: &generator))
            }
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(64, rest.count), using: &generator)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(requests(pieces) == requests([bytes]))
        }
    }

    @Test func `takes any bytes`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let bytes = (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(requests([bytes, bytes]) >= 0)
        }
    }
}

@Suite struct `A stream limiter` {
    private func decision(accepted: Bool, authorized: Bool) -> Decision {
        var decision = Decision(number: 1)
        (decision.isAccepted, decision.isAuthorized) = (accepted, authorized)
        return decision
    }

    @Test func `opens up with the first valid token and stays open`() {
        var limiter = StreamLimiter(first: 1, authorized: 500, dropsAfterError: false)
        let changes = [(false, false), (false, true), (true, true), (false, false)].map {
            limiter.note(decision(accepted: $0.0, authorized: $0.1))
        }
        #expect(changes == [nil, 500, nil, nil])
    }

    @Test func `closes after an error when told to`() {
        var limiter = StreamLimiter(first: 1, authorized: 500, dropsAfterError: true)
        let changes = [true, false, false, true].map { limiter.note(decision(accepted: $0, authorized: true)) }
        #expect(changes == [500, 1, nil, 500])
    }
}
