import Bytes
import JSON
import PushCore
import PushModel
import Reports
import Timekeeping

/// What platforms get of a message, made anew from what was asked.
struct MessageTranslation {
    private let message: ValidatedMessage
    private let template: ApplePushTemplate?
    private let refusal: SendError?

    init(_ inspected: InspectedMessage, of project: Project) {
        message = ValidatedMessage(
            id: inspected.id, project: project, target: inspected.target, message: inspected.message,
            acceptedAt: inspected.acceptedAt, expiresAt: inspected.expiresAt)
        do throws(SendError) {
            template = try ApplePushTranslator().template(of: message)
            refusal = nil
        } catch {
            template = nil
            refusal = error
        }
    }

    /// What the rules said when it was accepted, and say today.
    var validation: JSONObject {
        var object: JSONObject = [
            "isValid": .bool(refusal == nil),
            "explanation": .string(
                refusal?.message ?? "Every rule is kept: the message was accepted as it was sent."),
            "violations": .array(
                (refusal?.violations ?? []).map {
                    ["field": .string($0.field), "description": .string($0.description)]
                }),
        ]
        if let bytes = sample?.payload.count {
            object["payloadBytes"] = .integer(bytes)
            object["maximumPayloadBytes"] = .integer(ApplePushTemplate.maximumPayloadBytes)
        }
        return object
    }

    /// For an Apple device of the usual kind, and for browsers.
    var json: JSONObject {
        var object = JSONObject()
        if let sample { object["apns"] = .object(Self.json(sample, path: "/3/device/<token>")) }
        if let push = try? BrowserPushTranslator().push(message) {
            object["webpush"] = ["payload": Self.payload(push.payload)]
        }
        return object
    }

    private var sample: ApplePush? {
        guard let address = APNsDeviceToken(hex: String(repeating: "0", count: 64)) else { return nil }
        let recipient = Registration(
            id: RegistrationID(value: 0), project: message.project.number, app: nil,
            fid: String(repeating: "x", count: 22), bundleID: "<bundle id>", channel: .apple(nil), isFIDMode: false,
            tokenNonce: 0, androidID: 0, appVersion: "", sdkVersion: "", createdAt: message.acceptedAt,
            confirmedAt: message.acceptedAt)
        return try? template?.push(
            to: recipient, at: APNsAddress(token: address, environment: .production), pushID: "")
    }

    /// The push to one Apple device.
    func push(to recipient: Registration, pushID: String, showsToken: Bool) -> JSONObject? {
        guard case .apple(let address?) = recipient.channel,
            let push = try? template?.push(to: recipient, at: address, pushID: pushID)
        else { return nil }
        let token = showsToken ? push.pathToken : push.pathToken.shortenedToken
        return Self.json(push, path: "/3/device/" + token)
    }

    private static func json(_ push: ApplePush, path: String) -> JSONObject {
        let headers = push.headers.filter { $0.key != "apns-id" || $0.value.utf8.count == 36 }
        return [
            "path": .string(path), "environment": .string(push.environment.rawValue),
            "headers": .object(JSONObject(headers.map { ($0.key, .string($0.value)) })),
            "payload": payload(push.payload),
        ]
    }

    private static func payload(_ bytes: [UInt8]) -> JSONValue {
        (try? JSONValue(parsing: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
    }
}

extension InspectedMessage {
    /// The message under the names of HTTP v1, with its tokens shortened.
    var requestJSON: JSONObject {
        let archive = try? JSONValue(parsing: MessageArchive.encode(message, target: target)).object
        var object = target.shortened
        for member in archive ?? [:] where !["target", "door", "sender"].contains(member.name) {
            object[member.name] = Self.readable(member.value)
        }
        return object
    }

    /// Archives hold data as keys and values one after another.
    private static func readable(_ value: JSONValue) -> JSONValue {
        if let list = value.array, list.count.isMultiple(of: 2), list.allSatisfy({ $0.string != nil }) {
            var object = JSONObject()
            for place in stride(from: 0, to: list.count, by: 2) { object[list[place].string ?? ""] = list[place + 1] }
            return .object(object)
        }
        guard let members = value.object else { return value }
        return .object(
            JSONObject(
                members.map { member in
                    let isList = ["data", "headers"].contains(member.name)
                    return (member.name, isList || member.value.object != nil ? readable(member.value) : member.value)
                }))
    }
}
