package import JSON
package import PushCore
package import PushModel
package import Timekeeping

/// A message to one target in the JSON of the legacy dialects, read and not yet looked up.
package struct SingleMessage: Sendable, Equatable {
    /// Whom the sender named: what `to` or `condition` says.
    package let recipient: String
    let request: LegacyRequest

    /// - Parameter messageID: The sender's own id, which a delivery receipt names.
    /// - Throws: What is wrong with the form, or that several targets are named.
    package init(_ object: JSONObject, messageID: String) throws(LegacyFormatError) {
        let fields = LegacyFields(object: object)
        guard object["registration_ids"] == nil else {
            throw LegacyFormatError(text: "\"registration_ids\" field is not supported: use \"to\"")
        }
        var request = try LegacyJSONDecoder.decode(fields)
        guard request.target != .nobody else { throw LegacyFormatError(text: "Missing Required Field: to") }
        if try fields.bool("delivery_receipt_requested") == true {
            request.content = request.content.map { content in
                var content = content
                content.receiptRequest = ReceiptRequest(originalID: messageID)
                return content
            }
        }
        self.request = request
        recipient = ["to", "notification_key", "condition"].lazy.compactMap { object[$0]?.string }.first ?? ""
    }
}

/// Sends messages in the JSON of the legacy dialects for a door that takes one target at a time and answers in a form
/// of its own.
package struct SingleMessageSender: Sendable {
    package enum Outcome: Sendable, Equatable {
        /// Durable and on its way. The token is the one to use from now on, if the sender used an earlier one.
        case accepted(currentToken: String?)
        /// A device group: how many members get it, and the tokens of those that do not.
        case group(accepted: Int, failed: [String])
        /// `detail` is for people, and may be empty.
        case failed(LegacyErrorCode, detail: String)
    }

    private let sender: LegacySender
    private let groups: DeviceGroupMembers

    package init(
        pipeline: SendPipeline, registrations: any RegistrationStore, groups: any DeviceGroupStore,
        clock: any WallClock, sealing: Sealing
    ) {
        let tokens = RegistrationTokenCodec(sealing: sealing)
        sender = LegacySender(
            pipeline: pipeline, registrations: RegistrationLookup(registrations: registrations, tokens: tokens),
            door: .xmpp, clock: clock, digest: sealing.digest)
        self.groups = DeviceGroupMembers(
            groups: groups, registrations: registrations, keys: DeviceGroupKeyCodec(sealing: sealing), tokens: tokens)
    }

    /// Returns when the message is durable or refused.
    package func send(_ message: SingleMessage, in project: Project) async -> Outcome {
        do throws(SendError) {
            switch message.request.target {
            case .one(let text): return try await send(message.request, to: text, in: project)
            case .topic(let name): return try await send(message.request, to: .topic(name), in: project)
            case .condition(let text):
                let target = try SendTarget.condition(parsing: text, allowsNegation: true, field: "condition")
                return try await send(message.request, to: target, in: project)
            case .nobody, .many: return .failed(.missingRegistration, detail: "")
            }
        } catch {
            return .failed(LegacyErrorCode(error), detail: error.message)
        }
    }

    /// A token or a notification key.
    private func send(
        _ request: LegacyRequest, to text: String, in project: Project
    ) async throws(SendError) -> Outcome {
        guard let members = try groups.tokens(ofKey: text, in: project.number) else {
            let results = await sender.send(request.content, to: [text], in: project, isDryRun: request.isDryRun)
            return results.first.map(Self.outcome) ?? .failed(.internalServerError, detail: "")
        }
        let results = await sender.send(request.content, to: members, in: project, isDryRun: request.isDryRun)
        let failed = results.filter { !$0.isAccepted }
        // Nobody got it: the reason is that of the first, as all members were asked alike.
        if failed.count == results.count, let first = failed.first { return Self.outcome(of: first) }
        return .group(accepted: results.count - failed.count, failed: failed.map(\.token))
    }

    private func send(
        _ request: LegacyRequest, to target: SendTarget, in project: Project
    ) async throws(SendError) -> Outcome {
        switch request.content {
        case .failure(let code): return .failed(code, detail: "")
        case .success(let content):
            _ = try await sender.send(content, to: target, in: project, isDryRun: request.isDryRun)
            return .accepted(currentToken: nil)
        }
    }

    private static func outcome(of result: LegacyResult) -> Outcome {
        switch result.outcome {
        case .accepted: .accepted(currentToken: result.currentToken)
        case .failed(let code): .failed(code, detail: result.detail)
        }
    }
}
