import GoogleAPI
import HTTPSemantics
import JSON
import Testing

@Suite struct `Google errors` {
    @Test func `encode to the envelope of google rpc`() throws {
        let error = GoogleError(
            .notFound, "Requested entity was not found.",
            details: [.fcmError(.unregistered), .apnsError(statusCode: 410, reason: "Unregistered")])
        let expected = """
            {
              "error": {
                "code": 404,
                "message": "Requested entity was not found.",
                "status": "NOT_FOUND",
                "details": [
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                    "errorCode": "UNREGISTERED"
                  },
                  {
                    "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                    "statusCode": 410,
                    "reason": "Unregistered"
                  }
                ]
              }
            }

            """
        #expect(String(decoding: error.response.body, as: UTF8.self) == expected)
        #expect(error.response.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(error.response.status == 404 && error.response.fields["www-authenticate"] == nil)
    }

    static let details: [(GoogleError.Detail, String)] = [
        (
            .badRequest([.init(field: "message.token", description: "bad"), .init(field: nil, description: "x")]),
            #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":"#
                + #"[{"field":"message.token","description":"bad"},{"description":"x"}]}"#
        ),
        (
            .quotaFailure([.init(subject: "project:p", description: "d")]),
            #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":"#
                + #"[{"subject":"project:p","description":"d"}]}"#
        ),
        (
            .errorInfo(reason: "R", domain: "googleapis.com", metadata: ["service": "s", "method": "m"]),
            #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R","domain":"googleapis.com","#
                + #""metadata":{"method":"m","service":"s"}}"#
        ),
        (
            .errorInfo(reason: "R", domain: "d", metadata: [:]),
            #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R","domain":"d"}"#
        ),
        (
            .help([.init(description: "d", url: "https://u/")]),
            #"{"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"d","url":"https://u/"}]}"#
        ),
        (.retryInfo(delaySeconds: 60), #"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"60s"}"#),
    ]

    @Test(arguments: details.indices) func `write each detail type`(row: Int) {
        #expect(Self.details[row].0.json.text == Self.details[row].1)
    }

    @Test func `leave out empty details and carry the time to retry`() {
        let error = GoogleError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 30)
        #expect(error.json["error"]?["details"] == nil)
        #expect(error.response.fields["retry-after"] == "30" && error.response.status == 503)
    }

    @Test func `challenge on 401`() {
        let operation = GoogleError.Operation(service: "fcm.googleapis.com", method: "m")
        let missing = GoogleError.credentialsMissing(operation).response
        #expect(missing.status == 401)
        #expect(missing.fields["www-authenticate"] == #"Bearer realm="https://accounts.google.com/""#)
        let expired = GoogleError.tokenExpired(operation).response
        #expect(
            expired.fields["www-authenticate"]
                == #"Bearer realm="https://accounts.google.com/", error="invalid_token""#)
    }

    @Test func `show where the JSON broke`() throws {
        let body = Array(#"{"message":{"token":"t","notification":{"title":"t","body":"b",}}}"#.utf8)
        let request = HTTPRequest(head: HTTPRequestHead(method: "POST", target: "/"), body: body)
        let error = #expect(throws: GoogleError.self) { try JSONBody.object(of: request) }
        let lines = try #require(error?.message.split(separator: "\n"))
        #expect(lines.count == 3 && lines[0] == "Invalid JSON payload received. Expected an object key.")
        #expect(lines[1] == #"tle":"t","body":"b",}}}"#)
        #expect(lines[2] == "                    ^")
        #expect(error?.status == .invalidArgument)
    }

    @Test func `take bodies with a byte order mark, and empty ones`() throws {
        var request = HTTPRequest(head: HTTPRequestHead(method: "POST", target: "/"))
        #expect(try JSONBody.object(of: request).isEmpty)
        request.body = [0xEF, 0xBB, 0xBF] + Array(#"{"a":1}"#.utf8)
        #expect(try JSONBody.object(of: request)["a"] == 1)
        request.body = Array("[]".utf8)
        #expect(throws: GoogleError.self) { try JSONBody.object(of: request) }
    }

    @Test func `have HTTP statuses for all codes`() {
        #expect(GoogleError.Status.allCases.allSatisfy { 400..<600 ~= $0.httpStatus })
    }
}
