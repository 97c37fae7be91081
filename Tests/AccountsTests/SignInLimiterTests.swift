import Accounts
import Testing
import Timekeeping

@Suite struct `The sign-in limits` {
    let world: AccountsWorld

    init() throws {
        world = try AccountsWorld()
    }

    private func fail(_ name: String, from address: String) async -> AccountError? {
        do throws(AccountError) {
            _ = try await world.signIn(name, password: "wrong", from: address)
            return nil
        } catch {
            return error
        }
    }

    @Test func `stop guesses at one name from many addresses, and let go with time`() async throws {
        _ = try await world.add("ann")
        for guess in 0..<10 { #expect(await fail("ann", from: "192.0.2.\(guess)") == .wrongCredentials) }
        guard case .tooManyAttempts(let seconds)? = await fail("ann", from: "192.0.2.99") else {
            Issue.record("the name is not limited")
            return
        }
        #expect(1...16 ~= seconds)
        await #expect(throws: AccountError.self) { try await world.signIn() }
        world.clock.set(world.clock.now().adding(seconds: Int64(seconds)))
        _ = try await world.signIn()
    }

    @Test func `stop guesses at many names from one address`() async throws {
        _ = try await world.add("ann")
        for guess in 0..<30 { #expect(await fail("user\(guess)", from: "192.0.2.7") == .wrongCredentials) }
        #expect(await fail("ann", from: "192.0.2.7") == .tooManyAttempts(retryAfterSeconds: 6))
        _ = try await world.signIn(from: "192.0.2.8")
    }

    @Test(arguments: [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:9:9:9:9", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false), ("::1", "::2", true), ("192.0.2.1", "192.0.2.2", false),
    ]) func `take a /64 for one address`(row: (first: String, second: String, isOne: Bool)) async throws {
        for guess in 0..<30 { _ = await fail("user\(guess)", from: row.first) }
        let isLimited = await fail("other", from: row.second) != .wrongCredentials
        #expect(isLimited == row.isOne)
    }

    @Test func `do not count what succeeds`() async throws {
        _ = try await world.add("ann")
        for _ in 0..<100 { _ = try await world.signIn() }
    }

    @Test func `hold for wrong old passwords too`() async throws {
        _ = try await world.add("ann")
        for guess in 0..<10 { _ = await fail("ann", from: "192.0.2.\(guess)") }
        #expect(world.passwords.comparisons.count == 10)
        _ = await fail("ann", from: "192.0.2.77")
        #expect(world.passwords.comparisons.count == 10, "nothing is hashed for who must wait")
    }
}
