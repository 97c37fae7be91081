import GoogleAPI
import HTTPSemantics
import JSON
import PropertyTesting
import Testing

@testable import ConsoleAPI

@Suite struct `The check of bodies` {
    static let person = ConsoleSchema.object([
        .required("name", .text(1, upTo: 5)), .optional("age", .integer(0...150)), .optional("isOld", .flag),
        .optional("tags", .list(.text(), maximumItems: 2)),
        .optional("friends", .list(.reference("Person"), maximumItems: 9)),
        .optional("notes", .map(.nullable(.text()), maximumMembers: 2)), .optional("kind", .choice(["a", "b"])),
        .optional("when", .anyOf([.integer(0...9), .object([.required("day", .text(1))])])),
        .optional("weight", .number), .optional("extra", .anything),
    ])

    private func violations(_ text: String) throws -> [String?] {
        let value = try JSONValue(parsing: text)
        do throws(GoogleError) {
            try SchemaCheck.require(value, .reference("Person"), named: ["Person": Self.person])
            return []
        } catch {
            guard case .badRequest(let violations)? = error.details.first else { return [] }
            return violations.map(\.field)
        }
    }

    static let good = [
        #"{"name":"ann"}"#, #"{"name":"12345","age":0}"#, #"{"name":"x","age":150,"isOld":false}"#,
        #"{"name":"x","age":5.0}"#, #"{"name":"👩‍👧"}"#, #"{"name":"x","tags":[]}"#, #"{"name":"x","tags":["","b"]}"#,
        #"{"name":"x","friends":[{"name":"y","friends":[{"name":"z"}]}]}"#, #"{"name":"x","notes":{"a":null,"b":""}}"#,
        #"{"name":"x","kind":"b"}"#, #"{"name":"x","when":3}"#, #"{"name":"x","when":{"day":"MON"}}"#,
        #"{"name":"x","weight":-1.5e3,"extra":[{}]}"#,
    ]
    @Test(arguments: good) func `takes what fits`(text: String) throws {
        #expect(try violations(text) == [])
    }

    static let bad: [(String, [String?])] = [
        ("{}", ["name"]), ("[]", [nil]), ("null", [nil]), (#"{"name":""}"#, ["name"]),
        (#"{"name":"123456"}"#, ["name"]),
        (#"{"name":null}"#, ["name"]), (#"{"name":7}"#, ["name"]), (#"{"name":"x","age":-1}"#, ["age"]),
        (#"{"name":"x","age":151}"#, ["age"]), (#"{"name":"x","age":1.5}"#, ["age"]),
        (#"{"name":"x","age":1e400}"#, ["age"]), (#"{"name":"x","age":"7"}"#, ["age"]),
        (#"{"name":"x","isOld":0}"#, ["isOld"]), (#"{"name":"x","tags":["a","b","c"]}"#, ["tags"]),
        (#"{"name":"x","tags":[1,2]}"#, ["tags[0]", "tags[1]"]), (#"{"name":"x","Age":1}"#, ["Age"]),
        (#"{"name":"x","friends":[{"name":"y"},{}]}"#, ["friends[1].name"]),
        (#"{"name":"x","notes":{"a":1}}"#, ["notes.a"]), (#"{"name":"x","notes":{"a":"","b":"","c":""}}"#, ["notes"]),
        (#"{"name":"x","kind":"c"}"#, ["kind"]), (#"{"name":"x","when":10}"#, ["when"]),
        (#"{"name":"x","when":{"day":""}}"#, ["when.day"]), (#"{"name":"x","weight":"1"}"#, ["weight"]),
    ]
    @Test(arguments: bad) func `names the place of each fault`(row: (text: String, fields: [String?])) throws {
        #expect(try violations(row.text) == row.fields)
    }

    @Test func `gives up on bodies that are nested too deeply or have too many faults`() throws {
        let deep = String(repeating: #"{"name":"x","friends":["#, count: 40) + String(repeating: "]}", count: 40)
        #expect(1...3 ~= (try violations(deep).count))
        let many = "{" + (0..<500).map { #""k\#($0)":1"# }.joined(separator: ",") + "}"
        #expect(try violations(many).count == SchemaCheck.maximumViolations)
    }

    @Test func `answers whatever comes`() throws {
        var generator = SeededGenerator(seed: 6)
        let seeds = Self.good + Self.bad.map(\.0)
        for _ in 0..<3000 {
            let text = generator.mutate(
                Array(seeds.randomElement(using: &generator)!.utf8), alphabet: Array(#"{}[]",:null019.-"#.utf8))
            if let value = try? JSONValue(parsing: text) {
                try? SchemaCheck.require(value, .reference("Person"), named: ["Person": Self.person])
            }
        }
    }
}

@Suite struct `A page of a list` {
    @Test(arguments: ["", "x", "0", "201", "-1", "1.5", "99999999999999999999"])
    func `has a size within bounds`(size: String) {
        #expect(throws: GoogleError.self) { try ConsolePage(size: size) }
    }

    @Test func `goes on after the key of the last item`() throws {
        let numbers = Array(1...5)
        var (seen, token): ([Int64], String?) = ([], nil)
        repeat {
            let page = try ConsolePage(size: "2", token: token)
            let after = try page.integerKey() ?? 0
            let answer = page.answer(
                "n", numbers.map(Int64.init).filter { $0 > after }.prefix(3).map { $0 }, key: { $0 },
                json: { .integer($0) })
            let json = try JSONValue(parsing: answer.response.body)
            seen += json["n"]?.array?.compactMap(\.int64) ?? []
            token = json["nextPageToken"]?.string
        } while token != nil
        #expect(seen == [1, 2, 3, 4, 5])
    }

    @Test(arguments: ["", "!", "AAAA=A", "____", "gA", String(repeating: "A", count: 2049)])
    func `refuses tokens that no answer gave`(token: String) {
        #expect(throws: GoogleError.self) {
            guard try ConsolePage(token: token).integerKey() == nil else { return }
        }
    }
}
