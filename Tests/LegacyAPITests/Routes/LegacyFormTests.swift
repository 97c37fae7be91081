import AppServerTesting
import HTTPSemantics
import PushModel
import Testing

@Suite struct `Legacy form sends` {
    @Test func `answer with the id on a line`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let answer = await door.sendForm("registration_id=\(token)&data.title=Caf%C3%A9+%F0%9F%98%80")
        #expect(answer.status == 200 && answer.isPlainText && answer.text.hasPrefix("id=0:"))
        #expect(door.world.platform.submitted.first?.message.message.data == [.init(key: "title", value: "Café 😀")])
    }

    @Test func `without a content type are forms too`() async throws {
        let door = try await LegacyDoor()
        let token = try await door.world.register(1).token
        let answer = await door.send("registration_id=\(token)&data.a=1", fields: [LegacyDoor.key])
        #expect(answer.text.hasPrefix("id="))
    }

    @Test func `name the current token on a second line`() async throws {
        let door = try await LegacyDoor()
        let renewed = try await door.world.renewedToken(1)
        let lines = await door.sendForm("registration_id=\(renewed.earlier)").text.split(separator: "\n")
        #expect(lines.count == 2 && lines.last == "registration_id=\(renewed.current)")
    }

    static let refusals: [Row<(String, Int, String)>] = [
        Row("no token", ("data.a=1", 200, "Error=MissingRegistration\n")),
        Row("a bad token", ("registration_id=bogus", 200, "Error=InvalidRegistration\n")),
        Row("a topic", ("registration_id=/topics/a", 200, "Error=InvalidRegistration\n")),
        Row("a reserved key", ("registration_id=bogus&data.from=x", 200, "Error=InvalidDataKey\n")),
        Row("a life that is too long", ("registration_id=bogus&time_to_live=9999999", 200, "Error=InvalidTtl\n")),
        Row("JSON", (#"{"to":"a"}"#, 400, "Error=MissingRegistration\n")),
    ]

    @Test(arguments: refusals) func `say what is wrong`(row: Row<(String, Int, String)>) async throws {
        let answer = await (try await LegacyDoor()).sendForm(row.content.0)
        #expect(answer.status == row.content.1 && answer.text == row.content.2 && answer.isPlainText)
    }

    @Test func `say by status what can be tried again`() async throws {
        let door = try await LegacyDoor()
        let busy = try await door.world.register(1)
        door.world.platform.fail(busy.registration, with: SendError(.unavailable, "", retryAfterSeconds: 30))
        let answer = await door.sendForm("registration_id=\(busy.token)")
        #expect(answer.status == 503 && answer.fields["retry-after"] == "30")
        let broken = try await door.world.register(2)
        door.world.platform.fail(broken.registration, with: SendError(.internalError, ""))
        #expect(await door.sendForm("registration_id=\(broken.token)").status == 500)
    }
}
