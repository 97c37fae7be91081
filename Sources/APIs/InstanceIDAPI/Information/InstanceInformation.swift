import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Timekeeping

/// `GET /iid/info/{token}`. Source: Instance ID server reference, "Get information about app instances".
struct InstanceInformation: Sendable {
    let subscriptions: TopicSubscriptions

    func answer(_ request: RoutedRequest, in project: Project) -> HTTPResponse {
        do throws(TopicError) {
            let registration = try subscriptions.registration(
                token: request[parameter: "token"], in: project.number)
            var body = members(of: registration)
            if request.queryValue("details")?.lowercased() == "true" {
                body["rel"] = ["topics": .object(try topics(of: registration))]
            }
            return HTTPResponse(json: .object(body))
        } catch {
            return Self.failure(error)
        }
    }

    private static func failure(_ error: TopicError) -> HTTPResponse {
        switch error {
        case .malformedToken, .unknownRegistration:
            InstanceIDReply.failure(404, "No information found about this instance id.")
        default: InstanceIDReply.failure(error)
        }
    }

    private func members(of registration: Registration) -> JSONObject {
        var body: JSONObject = [
            "application": .string(registration.bundleID),
            "authorizedEntity": .string(registration.project.description),
            "platform": .string(platform(of: registration)), "scope": "*",
        ]
        if !registration.appVersion.isEmpty { body["applicationVersion"] = .string(registration.appVersion) }
        if case .device = registration.channel {
            body["attestStatus"] = "UNKNOWN"
            body["connectDate"] = .string(registration.confirmedAt.dateText)
        }
        return body
    }

    private func platform(of registration: Registration) -> String {
        switch registration.channel {
        case .apple: "IOS"
        case .device: "ANDROID"
        case .web: "CHROME"
        }
    }

    private func topics(of registration: Registration) throws(TopicError) -> JSONObject {
        let all = try subscriptions.subscriptions(of: registration, limit: TopicLimits.topicsPerRegistration)
        return JSONObject(all.map { ($0.topic.text, ["addDate": .string($0.createdAt.dateText)]) })
    }
}

extension Timestamp {
    /// `YYYY-MM-DD` in UTC.
    fileprivate var dateText: String { String(rfc3339.prefix(10)) }
}
