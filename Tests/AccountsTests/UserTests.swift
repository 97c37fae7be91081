import Accounts
import Bytes
import PushCore
import PushModel
import Testing
import Timekeeping

@Suite struct `Users` {
    let world: AccountsWorld

    init() throws {
        world = try AccountsWorld()
    }

    static let names: [(text: String, name: String?)] = [
        ("ann", "ann"), ("Ann", "ann"), ("ann.lee@example.com", "ann.lee@example.com"), ("a", "a"),
        ("a-b_c+1", "a-b_c+1"),
        (String(repeating: "x", count: 64), String(repeating: "x", count: 64)), ("", nil), ("ann lee", nil),
        ("änn", nil), ("ann\n", nil), ("<b>", nil), ("a/b", nil), ("İ", nil), (String(repeating: "x", count: 65), nil),
    ]
    @Test(arguments: names) func `have names of few letters`(row: (text: String, name: String?)) {
        #expect(UserName(row.text)?.text == row.name)
    }

    static let passwords: [(text: String, isTaken: Bool)] = [
        ("correct horse", true), ("twelve chars", true), ("пароль и замок", true),
        (String(repeating: "ab", count: 512), true),
        ("", false), ("eleven char", false), ("aaaaaaaaaaaaaaaa", false), ("ann.lee@example.com", false),
        ("ANN.LEE@example.com", false), (String(repeating: "ab", count: 513), false),
    ]
    @Test(arguments: passwords) func `have passwords that are long`(row: (text: String, isTaken: Bool)) throws {
        let name = try #require(UserName("ann.lee@example.com"))
        #expect((PasswordRules.fault(in: row.text, of: name) == nil) == row.isTaken)
    }

    @Test func `have names of their own`() async throws {
        _ = try await world.add("ann")
        await #expect(throws: AccountError.store(.conflict("There is a user ann."))) { try await world.add("ANN") }
    }

    @Test func `lose other sessions and all tokens with a new password`() async throws {
        let ann = try await world.add("ann")
        let (here, there) = (try await world.signIn().secret, try await world.signIn().secret)
        let (_, token) = try await world.accounts.makeToken(named: "x", for: ann, expiresAt: nil)
        let visitor = try #require(await world.accounts.visitor(sessionSecret: here))
        await #expect(throws: AccountError.wrongCredentials) {
            try await change(visitor, from: "wrong", to: "another password")
        }
        await #expect(throws: AccountError.self) {
            try await change(visitor, from: AccountsWorld.password, to: AccountsWorld.password)
        }
        try await change(visitor, from: AccountsWorld.password, to: "another password")
        #expect(try await world.accounts.visitor(sessionSecret: here) != nil)
        #expect(try await world.accounts.visitor(sessionSecret: there) == nil)
        #expect(try await world.accounts.visitor(token: token) == nil)
        _ = try await world.signIn(password: "another password")
    }

    private func change(_ visitor: Visitor, from old: String, to new: String) async throws {
        _ = try await world.accounts.changePassword(
            of: visitor, from: Secret(old), to: Secret(new), address: "192.0.2.1")
    }

    @Test func `are made once at the first start`() async throws {
        let first = try await world.accounts.makeFirstAdministrator(mustChangePassword: true) {
            Secret(AccountsWorld.password)
        }
        #expect(first?.isAdministrator == true && first?.mustChangePassword == true)
        let second = try await world.accounts.makeFirstAdministrator(mustChangePassword: true) {
            Issue.record("no password is needed")
            return Secret("")
        }
        #expect(second == nil)
    }

    @Test func `may what their role says`() {
        let (mine, other) = (ProjectNumber(value: 1), ProjectNumber(value: 2))
        var user = ConsoleUser(
            id: UserID(value: 1), name: UserName("ann")!, isAdministrator: false, roles: [mine: .editor],
            mustChangePassword: false, createdAt: Timestamp(milliseconds: 0))
        #expect(user.role(in: mine) == .editor && user.role(in: other) == nil)
        user.isAdministrator = true
        #expect(user.role(in: mine) == .administrator && user.role(in: other) == .administrator)
        #expect(ConsoleRole.allCases.sorted() == [.viewer, .editor, .administrator])
    }

    @Test func `get passwords that a person can type and nobody guesses`() {
        let passwords = (0..<50).map { _ in
            Accounts.freshPassword { count in
                var generator = SystemRandomNumberGenerator()
                return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }.reveal()
        }
        #expect(Set(passwords).count == 50)
        for password in passwords {
            #expect(password.count == 23 && password.split(separator: "-").map(\.count) == [5, 5, 5, 5])
        }
    }
}
