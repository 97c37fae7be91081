import Accounts
import Bytes
import PushCore
import SQLiteStore
import Testing
import Timekeeping

@Suite struct `Signing in` {
    let world: AccountsWorld

    init() throws {
        world = try AccountsWorld()
    }

    @Test func `opens a session for whoever knows the password`() async throws {
        let ann = try await world.add("ann")
        let session = try await world.signIn("Ann")
        let visitor = try #require(await world.accounts.visitor(sessionSecret: session.secret))
        #expect(visitor.user.id == ann.id)
        #expect(visitor.user.lastSignInAt == world.clock.now())
    }

    static let wrong: [(name: String, password: String)] = [
        ("ann", "wrong"), ("ann", ""), ("ann", AccountsWorld.password + " "), ("bob", AccountsWorld.password),
        ("", AccountsWorld.password), ("no name", AccountsWorld.password), ("ann\u{0}", AccountsWorld.password),
    ]
    @Test(arguments: wrong) func `refuses everything else with the same words`(
        row: (name: String, password: String)
    ) async throws {
        _ = try await world.add("ann")
        await #expect(throws: AccountError.wrongCredentials) {
            try await world.signIn(row.name, password: row.password)
        }
        #expect(world.passwords.comparisons.count == 1, "a name that nobody has must cost as much")
    }

    @Test func `tries a hash that nobody has for an unknown name`() async throws {
        _ = try? await world.signIn("nobody")
        #expect(world.passwords.comparisons == ["nobody's"])
    }

    @Test func `does not hash a book`() async throws {
        _ = try await world.add("ann")
        await #expect(throws: AccountError.wrongCredentials) {
            try await world.signIn(password: String(repeating: "x", count: 1025))
        }
        #expect(world.passwords.comparisons.isEmpty)
    }

    @Test func `keeps only the hash of the secret`() async throws {
        _ = try await world.add("ann")
        let session = try await world.signIn()
        #expect(try world.store.session(hash: Array(session.secret.utf8)) == nil)
        #expect(try world.store.session(hash: CountingPasswords.digest(Array(session.secret.utf8))) != nil)
    }
}

@Suite struct `A session` {
    @Test(arguments: [
        (idleFor: Int64(99), isAlive: true), (100, false), (1000, false),
    ]) func `ends when nothing was asked for long`(row: (idleFor: Int64, isAlive: Bool)) async throws {
        let world = try AccountsWorld(rules: SessionRules(idleSeconds: 100, absoluteSeconds: 1000))
        _ = try await world.add("ann")
        let secret = try await world.signIn().secret
        world.clock.set(world.clock.now().adding(seconds: row.idleFor))
        #expect(try await (world.accounts.visitor(sessionSecret: secret) != nil) == row.isAlive)
    }

    @Test func `ends after a time however busy it is`() async throws {
        let world = try AccountsWorld(rules: SessionRules(idleSeconds: 100, absoluteSeconds: 1000))
        _ = try await world.add("ann")
        let secret = try await world.signIn().secret
        for _ in 0..<19 {
            world.clock.set(world.clock.now().adding(seconds: 50))
            #expect(try await world.accounts.visitor(sessionSecret: secret) != nil)
        }
        world.clock.set(world.clock.now().adding(seconds: 50))
        #expect(try await world.accounts.visitor(sessionSecret: secret) == nil)
    }

    @Test func `ends when its person signs out, and no other does`() async throws {
        let world = try AccountsWorld()
        _ = try await world.add("ann")
        let (first, second) = (try await world.signIn().secret, try await world.signIn().secret)
        try await world.accounts.signOut(#require(await world.accounts.visitor(sessionSecret: first)))
        #expect(try await world.accounts.visitor(sessionSecret: first) == nil)
        #expect(try await world.accounts.visitor(sessionSecret: second) != nil)
    }

    @Test func `has a token against forgery that is worth nothing in another session`() async throws {
        let world = try AccountsWorld()
        _ = try await world.add("ann")
        let secrets = [try await world.signIn().secret, try await world.signIn().secret]
        let visitor = try #require(await world.accounts.visitor(sessionSecret: secrets[0]))
        #expect(world.accounts.isForgeryToken(world.accounts.forgeryToken(secret: secrets[0]), of: visitor))
        for wrong in [nil, "", secrets[0], world.accounts.forgeryToken(secret: secrets[1])] {
            #expect(!world.accounts.isForgeryToken(wrong, of: visitor))
        }
    }

    @Test func `makes room for a newer one when a person has too many`() async throws {
        let world = try AccountsWorld(rules: SessionRules(maximumPerUser: 3))
        _ = try await world.add("ann")
        var secrets: [String] = []
        for _ in 0..<5 { secrets.append(try await world.signIn().secret) }
        for (place, secret) in secrets.enumerated() {
            #expect(try await (world.accounts.visitor(sessionSecret: secret) != nil) == (place >= 2))
        }
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 10_000)])
    func `is not guessed`(secret: String) async throws {
        let world = try AccountsWorld()
        #expect(try await world.accounts.visitor(sessionSecret: secret) == nil)
    }
}

@Suite struct `A console token` {
    @Test func `speaks for its person until it expires`() async throws {
        let world = try AccountsWorld()
        let ann = try await world.add("ann")
        let expiry = world.clock.now().adding(seconds: 1000)
        let (token, text) = try await world.accounts.makeToken(named: "nightly", for: ann, expiresAt: expiry)
        #expect(try await world.accounts.visitor(token: text)?.user.id == ann.id)
        #expect(try await world.accounts.tokens(of: ann).map(\.id) == [token.id])
        world.clock.set(expiry)
        #expect(try await world.accounts.visitor(token: text) == nil)
    }

    @Test func `is removed by its own person alone`() async throws {
        let world = try AccountsWorld()
        let (ann, bob) = (try await world.add("ann"), try await world.add("bob"))
        let (token, text) = try await world.accounts.makeToken(named: "x", for: ann, expiresAt: nil)
        await #expect(throws: AccountError.store(.notFound("There is no such token."))) {
            try await world.accounts.removeToken(token.id, of: bob)
        }
        #expect(try await world.accounts.visitor(token: text) != nil)
        try await world.accounts.removeToken(token.id, of: ann)
        #expect(try await world.accounts.visitor(token: text) == nil)
    }
}
