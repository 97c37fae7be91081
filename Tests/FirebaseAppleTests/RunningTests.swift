import Testing

@testable import FirebaseApple

@Suite struct `Running` {
    @Test func `random bytes come in the number asked for, and differ`() {
        let random = SystemRandom()
        #expect(random.bytes(0) == [])
        #expect(random.bytes(32).count == 32)
        #expect(random.bytes(32) != random.bytes(32))
    }

    @Test func `a cancelled wait ends at once`() async {
        let waiting = Task { try await SystemClock().sleep(seconds: 3600) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `a wait of no time or less ends`() async throws {
        try await SystemClock().sleep(seconds: 0)
        try await SystemClock().sleep(seconds: -5)
    }
}
