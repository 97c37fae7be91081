import PushModel
import Testing

@testable import LegacyAPI

@Suite struct `Legacy forms` {
    @Test func `are decoded once, plus signs too`() throws {
        let body =
            "registration_id=a%3Ab&collapse_key=c&time_to_live=108&delay_while_idle=1&dry_run=1"
            + "&data.score=4x8&data.title=Caf%C3%A9+%F0%9F%98%80&data.x=%2541&data.score=5x8&unknown=1"
        let request = try LegacyFormDecoder.decode(Array(body.utf8))
        #expect(request.target == .one("a:b") && request.isDryRun)
        let content = try request.content.get()
        #expect(content.collapseKey == "c" && content.timeToLive.seconds == 108)
        #expect(content.data.map { "\($0.key)=\($0.value)" } == ["score=5x8", "title=Café 😀", "x=%41"])
    }

    static let others: [Row<(String, LegacyRequest.Target, LegacyErrorCode?)>] = [
        Row("no token", ("data.a=1", .nobody, nil)),
        Row("an empty token", ("registration_id=&data.a=1", .nobody, nil)),
        Row("nothing", ("", .nobody, nil)),
        Row("a reserved key", ("registration_id=t&data.from=1", .one("t"), .invalidDataKey)),
        Row("Google's key", ("registration_id=t&data.google.x=1", .one("t"), .invalidDataKey)),
        Row("a key without a name", ("registration_id=t&data.=1", .one("t"), .invalidDataKey)),
        Row("a life as a word", ("registration_id=t&time_to_live=long", .one("t"), .invalidTimeToLive)),
        Row("a life that is too long", ("registration_id=t&time_to_live=2419201", .one("t"), .invalidTimeToLive)),
        Row("a broken escape stays as it is", ("registration_id=t&data.a=%zz", .one("t"), nil)),
        Row("a topic is no token, and no topic either", ("registration_id=/topics/a", .one("/topics/a"), nil)),
    ]

    @Test(arguments: others) func `say what they lack`(row: Row<(String, LegacyRequest.Target, LegacyErrorCode?)>)
        throws
    {
        let request = try LegacyFormDecoder.decode(Array(row.content.0.utf8))
        #expect(request.target == row.content.1)
        switch request.content {
        case .success: #expect(row.content.2 == nil)
        case .failure(let code): #expect(code == row.content.2)
        }
    }

    @Test(arguments: [#"{"to":"a"}"#, "  [1]", "\r\n{}"]) func `are not JSON`(body: String) {
        #expect(throws: LegacyFormatError(text: "Error=MissingRegistration")) {
            try LegacyFormDecoder.decode(Array(body.utf8))
        }
    }

    @Test func `lose no entry, whatever its name and value are made of`() throws {
        let body = "registration_id=t&data.%C3%A9=1&data.e%CC%81=2&data.%CC%81x=3&data.p=100%+sure&data.l=caf%E9"
        let data = try LegacyFormDecoder.decode(Array(body.utf8)).content.get().data
        #expect(data.map(\.value) == ["1", "2", "3", "100% sure", "caf\u{FFFD}"])
        #expect(data.map { Array($0.key.utf8) }[2] == Array("\u{301}x".utf8))
    }

    @Test func `are UTF-8 and have an end`() {
        #expect(throws: LegacyFormatError.self) { try LegacyFormDecoder.decode([0x61, 0xFF]) }
        let long = String(repeating: "a=1&", count: LegacyFormDecoder.maximumPairs + 1)
        #expect(throws: LegacyFormatError.self) { try LegacyFormDecoder.decode(Array(long.utf8)) }
    }
}
