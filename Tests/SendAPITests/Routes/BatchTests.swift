import HTTPSemantics
import JSON
import SendAPI
import Testing

@Suite struct `The retired batch endpoint` {
    static let type = "multipart/mixed; boundary=edge"

    static func part(
        _ id: String, _ body: String, line: String = "POST /v1/projects/demo-kitchen/messages:send HTTP/1.1"
    ) -> String {
        """
        --edge\r
        Content-Type: application/http\r
        Content-ID: \(id)\r
        \r
        \(line)\r
        Content-Type: application/json\r
        \r
        \(body)\r

        """
    }

    @Test func `answers each part on its own, in order`() async {
        let door = SendDoor()
        let body =
            Self.part("<a+1>", #"{"message":{"token":"{TOKEN}"}}"#)
            + Self.part("2", #"{"message":{"token":"bad"}}"#, line: "POST /v1/projects/demo-kitchen/messages:send")
            + Self.part(
                "3", #"{"message":{"fid":"{FID}"}}"#,
                line: "POST https://fcm.googleapis.com/v1/projects/demo-kitchen/messages:send HTTP/1.1")
            + Self.part("4", "{}", line: "POST /v1/projects/demo-garden/messages:send HTTP/1.1")
            + Self.part("5", "{}", line: "GET /elsewhere HTTP/1.1") + "--edge--"
        let response = await door.post(body, to: "/batch", fields: [("content-type", Self.type)])
        #expect(response.status == 200)
        #expect(response.fields["content-type"]?.hasPrefix("multipart/mixed; boundary=batch_") == true)
        let statuses = response.text.matches(of: #/HTTP/1\.1 (\d+)/#).map { String($0.1) }
        #expect(statuses == ["200", "400", "200", "403", "404"])
        let ids = response.text.matches(of: /(?i:content-id): (\S+)/).map { String($0.1) }
        #expect(ids == ["<response-a+1>", "response-2", "response-3", "response-4", "response-5"])
        #expect(door.world.platform.submitted.count == 2)
    }

    @Test func `wants a caller`() async {
        let door = SendDoor()
        let body = Self.part("1", `Sending over HTTP`.plain) + "--edge--"
        #expect(await door.post(body, to: "/batch", token: nil, fields: [("content-type", Self.type)]).status == 401)
        #expect(door.world.platform.submitted.isEmpty)
    }

    @Test(arguments: ["", "--edge", "--other\r\n\r\n--other--", "{}"]) func `refuses what is no batch`(body: String)
        async
    {
        let response = await SendDoor().post(body, to: "/batch", fields: [("content-type", Self.type)])
        #expect(response.status == 400)
        #expect(response.error["status"] == "INVALID_ARGUMENT")
    }

    @Test func `refuses a batch without a boundary`() async {
        let response = await SendDoor().post("--edge--", to: "/batch", fields: [("content-type", "application/json")])
        #expect(response.status == 400)
        #expect(response.error["message"]?.string?.contains("must be multipart/mixed with a boundary") == true)
    }

    @Test func `sends nothing of a batch that is cut off`() async {
        let door = SendDoor()
        let body = Self.part("1", `Sending over HTTP`.plain) + Self.part("2", `Sending over HTTP`.plain)
        #expect(await door.post(body, to: "/batch", fields: [("content-type", Self.type)]).status == 400)
        #expect(door.world.platform.submitted.isEmpty)
    }
}
