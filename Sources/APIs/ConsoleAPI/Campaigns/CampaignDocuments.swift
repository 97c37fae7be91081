import Campaigns
import GoogleAPI
import JSON
import PushCore
import PushModel
import Timekeeping

extension Campaign {
    /// As the API shows it.
    func json(_ counts: CampaignCounts) -> JSONObject {
        var json: JSONObject = [
            "campaignId": .string(id.description),
            "state": .string(shownState(counts).rawValue),
            "stateReason": .string(stateReason),
            "revision": .integer(revision),
        ]
        for member in content.json { json[member.name] = member.value }
        json["createdAt"] = .string(createdAt.rfc3339)
        json["updatedAt"] = .string(updatedAt.rfc3339)
        json["createdBy"] = .string(createdBy)
        if let publishedAt { json["publishedAt"] = .string(publishedAt.rfc3339) }
        if let next, isActive || state == .paused { json["nextRunAt"] = .string(next.at.rfc3339) }
        if let lastRunAt { json["lastRunAt"] = .string(lastRunAt.rfc3339) }
        json["runs"] = .integer(runs)
        json["counts"] = .object(counts.json(withOpened: true))
        return json
    }

    /// While recipients are still being found it runs, although nothing more is to be planned.
    private func shownState(_ counts: CampaignCounts) -> State {
        state == .completed && counts.isSplitting ? .running : state
    }
}

extension CampaignCounts {
    func json(withOpened: Bool) -> JSONObject {
        var json: JSONObject = [
            "targeted": .integer(targeted), "sent": .integer(sent), "failed": .integer(failed),
            "expired": .integer(expired),
        ]
        if withOpened { json["opened"] = .integer(opened) }
        return json
    }
}

extension CampaignRun {
    var json: JSONValue {
        var json: JSONObject = [
            "number": .integer(number), "dueAt": .string(due.at.rfc3339), "localTime": .string(due.local.description),
            "audience": .string(due.audience.name), "ranAt": .string(ranAt.rfc3339),
            "result": .string(result.rawValue), "missed": .integer(missed), "reason": .string(reason),
            "counts": .object(counts.json(withOpened: false)), "isSplitting": .bool(counts.isSplitting),
        ]
        if let message { json["messageId"] = .string(message.description) }
        return .object(json)
    }
}

extension Occurrence.Audience {
    fileprivate var name: String {
        switch self {
        case .everyone: "everyone"
        case .apple: "Apple apps, ahead"
        case .zones(let names): names.joined(separator: ", ")
        }
    }
}

extension CampaignTestResult {
    var json: JSONValue {
        switch outcome {
        case .success(let receipt):
            ["target": .string(target), "messageId": .string(receipt.id?.description ?? "")]
        case .failure(let error):
            ["target": .string(target), "error": ["status": .string(error.code), "message": .string(error.message)]]
        }
    }
}

extension SendError {
    /// As HTTP v1 calls it.
    fileprivate var code: String {
        switch kind {
        case .unregistered: "UNREGISTERED"
        case .senderIDMismatch: "SENDER_ID_MISMATCH"
        case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded: "QUOTA_EXCEEDED"
        case .thirdPartyAuthentication: "THIRD_PARTY_AUTH_ERROR"
        case .unavailable: "UNAVAILABLE"
        case .internalError: "INTERNAL"
        case .invalidArgument, .malformedToken, .noRecipient, .messageTooBig, .reservedDataKey, .timeToLiveOutOfRange,
            .packageMismatch:
            "INVALID_ARGUMENT"
        }
    }
}

extension GoogleError {
    /// What a refusal of a campaign means to the console.
    static func campaign(_ error: CampaignError) -> GoogleError {
        switch error {
        case .invalid(let violations):
            GoogleError(
                .invalidArgument,
                violations.first.map { "\($0.field): \($0.description)" } ?? "The campaign is not valid.",
                details: [.badRequest(violations.map { .init(field: $0.field, description: $0.description) })])
        case .notFound: .absent("campaign")
        case .conflict(let text): .wrongState(text)
        case .store(let error): .store(error)
        }
    }
}

/// Calls into the core with its errors translated.
func asked<Result>(_ body: () async throws(CampaignError) -> Result) async throws(GoogleError) -> Result {
    do throws(CampaignError) {
        return try await body()
    } catch {
        throw .campaign(error)
    }
}
