import AppServerTesting
import HTTPSemantics
import Testing

@Suite struct `Callers of the legacy API` {
    static let proofs: [Row<([(String, String)], Bool)>] = [
        Row("the key", ([("authorization", "key=" + AppServerWorld.serverKey)], true)),
        Row("spaces around it", ([("authorization", " key = \(AppServerWorld.serverKey) ")], true)),
        Row("an announced access token", ([("authorization", "Bearer kitchen"), ("access_token_auth", "true")], true)),
        Row("no header", ([], false)),
        Row("no key", ([("authorization", "key=")], false)),
        Row("a bare key", ([("authorization", AppServerWorld.serverKey)], false)),
        Row("quotes", ([("authorization", "key=\"\(AppServerWorld.serverKey)\"")], false)),
        Row("an API key", ([("authorization", "key=AIzaSyNotAServerKey0000000000000000000")], false)),
        Row("another letter at the end", ([("authorization", "key=\(AppServerWorld.serverKey)x")], false)),
        Row("a key without an end", ([("authorization", "key=" + String(repeating: "A", count: 5000))], false)),
        Row("a token that nobody announced", ([("authorization", "Bearer kitchen")], false)),
        Row("a token that is old", ([("authorization", "Bearer old"), ("access_token_auth", "true")], false)),
        Row("a token of ours", ([("authorization", "Bearer x"), ("access_token_auth", "true")], false)),
        Row(
            "a token for other purposes",
            ([("authorization", "Bearer kitchen-others"), ("access_token_auth", "true")], false)),
        Row("the key as a bearer", ([("authorization", "Bearer " + AppServerWorld.serverKey)], false)),
    ]

    @Test(arguments: proofs) func `prove themselves before the body is read`(
        row: Row<([(String, String)], Bool)>
    ) async throws {
        let door = try await LegacyDoor()
        for body in [#"{"to":"bogus"}"#, "{"] {
            let answer = await door.send(body, fields: row.content.0 + [LegacyDoor.json])
            #expect((answer.status != 401) == row.content.1)
            guard answer.status == 401 else { continue }
            #expect(answer.fields["content-type"]?.hasPrefix("text/html") == true)
            #expect(answer.text.contains("<TITLE>Unauthorized</TITLE>"))
        }
    }

    @Test func `may use the older path`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let answer = await door.router.call(
            "POST", "/gcm/send", fields: [LegacyDoor.key, ("content-type", "application/json; charset=utf-8")],
            body: #"{"to":"\#(token)"}"#)
        #expect(answer.results == ["ok"])
    }
}
