import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import SendAPI
import Testing
import Timekeeping

@Suite struct `Sending over HTTP` {
    static let plain = #"{"message":{"token":"{TOKEN}","notification":{"title":"t"}}}"#

    @Test func `answers with the message's name`() async {
        let door = SendDoor()
        let response = await door.post(Self.plain)
        #expect(response.status == 200)
        #expect(response.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(response.json == ["name": "projects/demo-kitchen/messages/1800000000000000"])
        #expect(door.world.store.accepted.map(\.recipients) == [[RegistrationID(value: 1)]])
        #expect(door.world.platform.submitted.map(\.message.id.value) == [1_800_000_000_000_000])
    }

    @Test func `takes the project's number and repeats it`() async {
        let response = await SendDoor().post(Self.plain, to: "/v1/projects/123456789012/messages:send?alt=json")
        #expect(response.json["name"]?.string?.hasPrefix("projects/123456789012/messages/") == true)
    }

    @Test(arguments: [
        "application/json", "application/json; UTF-8", "application/json; charset=UTF-8", "text/plain",
    ]) func `reads JSON whatever the content type says`(type: String) async {
        #expect(await SendDoor().post(Self.plain, fields: [("content-type", type)]).status == 200)
    }

    @Test func `takes a token from the query`() async {
        #expect(
            await SendDoor().post(Self.plain, to: SendDoor.path + "?access_token=kitchen", token: nil).status == 200)
    }

    struct Caller: Sendable {
        var token: String?
        var path = SendDoor.path
        var status: Int
        var code: String
        var reason: String
        var text: String
    }

    static let denied =
        "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/"
    static let callers: [Row<Caller>] = [
        Row(
            "nobody",
            .init(
                token: nil, status: 401, code: "UNAUTHENTICATED", reason: "CREDENTIALS_MISSING",
                text: "Request is missing required authentication credential.")),
        Row(
            "a made-up token",
            .init(
                token: "x", status: 401, code: "UNAUTHENTICATED", reason: "ACCESS_TOKEN_TYPE_UNSUPPORTED",
                text: "Request had invalid authentication credentials.")),
        Row(
            "an old token",
            .init(
                token: "old", status: 401, code: "UNAUTHENTICATED", reason: "ACCESS_TOKEN_EXPIRED",
                text: "Request had invalid authentication credentials.")),
        Row(
            "a token for other things",
            .init(
                token: "kitchen-other", status: 403, code: "PERMISSION_DENIED",
                reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT", text: "Request had insufficient authentication scopes.")),
        Row(
            "another project's account",
            .init(
                token: "garden", status: 403, code: "PERMISSION_DENIED", reason: "IAM_PERMISSION_DENIED",
                text: denied + "demo-kitchen' (or it may not exist).")),
        Row(
            "a project that is none",
            .init(
                token: "kitchen", path: "/v1/projects/no-such-thing/messages:send", status: 403,
                code: "PERMISSION_DENIED", reason: "IAM_PERMISSION_DENIED",
                text: denied + "no-such-thing' (or it may not exist).")),
    ]

    @Test(arguments: callers) func `refuses callers before it reads the body`(row: Row<Caller>) async {
        let door = SendDoor()
        let response = await door.post("{", to: row.content.path, token: row.content.token)
        #expect(response.status == row.content.status)
        #expect(response.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(response.error["status"]?.string == row.content.code)
        #expect(response.error["message"]?.string?.hasPrefix(row.content.text) == true)
        #expect(response.error["details"]?[0]?["reason"]?.string == row.content.reason)
        #expect((response.fields["www-authenticate"] != nil) == (row.content.status == 401))
    }

    @Test(arguments: ["kitchen", "kitchen-cloud"]) func `takes tokens of either scope`(token: String) async {
        #expect(await SendDoor().post(Self.plain, token: token).status == 200)
    }

    @Test(arguments: ["/v1/projects/demo-kitchen/messages", "/v1/projects//messages:send", "/v1/messages:send"])
    func `knows no other paths`(path: String) async {
        #expect(await SendDoor().post(Self.plain, to: path).status == 404)
    }
}

@Suite struct `Refusals on the wire` {
    static let fcm = "type.googleapis.com/google.firebase.fcm.v1"
    static let badRequest = "type.googleapis.com/google.rpc.BadRequest"

    static func violation(_ field: String?, _ description: String) -> JSONValue {
        var violation: JSONObject = ["description": .string(description)]
        if let field { violation["field"] = .string(field) }
        return ["@type": .string(badRequest), "fieldViolations": [.object(violation)]]
    }

    static func fcmError(_ code: String) -> JSONValue {
        ["@type": "\(fcm).FcmError", "errorCode": .string(code)]
    }

    struct Wire: Sendable {
        var body: String
        var status = 400
        var code = "INVALID_ARGUMENT"
        var message: String
        var details: [JSONValue]
    }

    static let rows: [Row<Wire>] = [
        Row(
            "a number in the data",
            .init(
                body: #"{"message":{"token":"{TOKEN}","data":{"a":"b","n":17}}}"#,
                message: "Invalid value at 'message.data[1].value' (TYPE_STRING), 17",
                details: [
                    violation("message.data[1].value", "Invalid value at 'message.data[1].value' (TYPE_STRING), 17")
                ])),
        Row(
            "an unknown name at the top",
            .init(
                body: #"{"to":"{TOKEN}"}"#,
                message: #"Invalid JSON payload received. Unknown name "to": Cannot find field."#,
                details: [violation(nil, #"Invalid JSON payload received. Unknown name "to": Cannot find field."#)])),
        Row(
            "no target",
            .init(
                body: #"{"message":{}}"#, message: "Recipient of the message is not set.",
                details: [violation("message", "Recipient of the message is not set."), fcmError("INVALID_ARGUMENT")])),
        Row(
            "a made-up token",
            .init(
                body: #"{"message":{"token":"x"}}"#,
                message: "The registration token is not a valid FCM registration token",
                details: [fcmError("INVALID_ARGUMENT")])),
        Row(
            "a dead token",
            .init(
                body: #"{"message":{"token":"{DEAD}"}}"#, status: 404, code: "NOT_FOUND",
                message: "Requested entity was not found.", details: [fcmError("UNREGISTERED")])),
        Row(
            "a token of another project",
            .init(
                body: #"{"message":{"token":"{OTHER}"}}"#, status: 403, code: "PERMISSION_DENIED",
                message: "SenderId mismatch", details: [fcmError("SENDER_ID_MISMATCH")])),
        Row(
            "a condition that is none",
            .init(
                body: #"{"message":{"condition":"a in topics"}}"#, message: "Request contains an invalid argument.",
                details: [
                    violation("message.condition", "Invalid condition expression provided."),
                    fcmError("INVALID_ARGUMENT"),
                ])),
        Row(
            "a badge that is a text",
            .init(
                body: #"{"message":{"token":"{TOKEN}","apns":{"payload":{"aps":{"badge":"1"}}}}}"#,
                message: "Value type for APS key [badge] is a number.",
                details: [
                    violation("message.apns.payload.aps.badge", "Value type for APS key [badge] is a number."),
                    fcmError("INVALID_ARGUMENT"),
                ])),
        Row(
            "a reserved data key",
            .init(
                body: #"{"message":{"token":"{TOKEN}","data":{"from":"x"}}}"#,
                message: "Invalid data payload key: from",
                details: [violation("message.data", "Invalid data payload key: from"), fcmError("INVALID_ARGUMENT")])),
        Row(
            "too much data",
            .init(
                body: #"{"message":{"token":"{TOKEN}","data":{"k":"\#(String(repeating: "x", count: 5000))"}}}"#,
                message: "Message is too large. The maximum is 4K (4096 bytes).",
                details: [fcmError("INVALID_ARGUMENT")])),
    ]

    @Test(arguments: rows) func `carry code, status, message and details in order`(row: Row<Wire>) async {
        let response = await SendDoor().post(row.content.body)
        #expect(response.status == row.content.status)
        #expect(
            response.json == [
                "error": [
                    "code": .integer(row.content.status), "message": .string(row.content.message),
                    "status": .string(row.content.code), "details": .array(row.content.details),
                ]
            ])
    }

    struct Failure: Sendable {
        var error: SendError
        var status: Int
        var details: [JSONValue]
        var retryAfter: String?
    }

    static func apnsError(_ status: Int, _ reason: String) -> JSONValue {
        ["@type": "\(fcm).ApnsError", "statusCode": .integer(status), "reason": .string(reason)]
    }

    static let failures: [Row<Failure>] = [
        Row(
            "the device is gone",
            .init(
                error: SendError(
                    .unregistered, "Requested entity was not found.",
                    apns: APNsAnswer(status: 410, reason: "Unregistered")),
                status: 404, details: [fcmError("UNREGISTERED"), apnsError(410, "Unregistered")])),
        Row(
            "the key is refused",
            .init(
                error: SendError(
                    .thirdPartyAuthentication, "Auth error from APNS or Web Push Service",
                    apns: APNsAnswer(status: 403, reason: "InvalidProviderToken")),
                status: 401, details: [fcmError("THIRD_PARTY_AUTH_ERROR"), apnsError(403, "InvalidProviderToken")])),
        Row(
            "the token is for another app",
            .init(
                error: SendError(
                    .invalidArgument, "Request contains an invalid argument.",
                    apns: APNsAnswer(status: 400, reason: "DeviceTokenNotForTopic")),
                status: 400, details: [fcmError("INVALID_ARGUMENT"), apnsError(400, "DeviceTokenNotForTopic")])),
        Row(
            "too many for the device",
            .init(
                error: SendError(
                    .deviceQuotaExceeded, "Device message rate exceeded",
                    apns: APNsAnswer(status: 429, reason: "TooManyRequests"), retryAfterSeconds: 9),
                status: 429,
                details: [
                    fcmError("QUOTA_EXCEEDED"),
                    [
                        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                        "violations": [
                            ["subject": "project:demo-kitchen", "description": "Device message rate exceeded"]
                        ],
                    ],
                    apnsError(429, "TooManyRequests"),
                    ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "9s"],
                ])),
        Row(
            "the platform is down for a while",
            .init(
                error: SendError(.unavailable, "The service is currently unavailable.", retryAfterSeconds: 9),
                status: 503, details: [fcmError("UNAVAILABLE")], retryAfter: "9")),
        Row("the platform is down", .init(error: .unavailable, status: 503, details: [fcmError("UNAVAILABLE")])),
        Row(
            "the platform broke",
            .init(
                error: SendError(.internalError, "Internal error encountered."), status: 500,
                details: [fcmError("INTERNAL")])),
    ]

    @Test(arguments: failures) func `tell what the platform said`(row: Row<Failure>) async {
        let door = SendDoor(SendWorld(outcome: .failed(row.content.error)))
        let response = await door.post(`Sending over HTTP`.plain)
        #expect(response.status == row.content.status)
        #expect(response.error["message"]?.string == row.content.error.message)
        #expect(response.error["details"] == .array(row.content.details))
        #expect(response.fields["retry-after"] == row.content.retryAfter)
    }

    @Test(arguments: [
        (400, "", 400), (401, "", 401), (404, "UNREGISTERED", 404), (503, "UNAVAILABLE", 503), (429, "", 429),
        (500, "INTERNAL", 500), (403, "", 403), (404, "QUOTA_EXCEEDED", 429),
    ]) func `come as scripted`(status: Int, code: String, answer: Int) async throws {
        let door = SendDoor()
        let error = try #require(SendError.scripted(status: status, errorCode: code))
        door.world.faults.add(ScriptedSendFault(delayMilliseconds: 5, error: error))
        #expect(await door.post(`Sending over HTTP`.plain).status == answer)
        #expect(door.world.store.accepted.isEmpty)
        #expect(await door.post(`Sending over HTTP`.plain).status == 200)
    }

    @Test func `are not scripted for what no refusal looks like`() {
        #expect(SendError.scripted(status: 200, errorCode: "") == nil)
        #expect(SendError.scripted(status: 302, errorCode: "MOVED") == nil)
    }
}
