import PushCore
import PushModel
import Timekeeping

/// Sends what a legacy request asks for through the pipeline that all doors share.
struct LegacySender: Sendable {
    let pipeline: SendPipeline
    let registrations: RegistrationLookup
    let door: MessageOrigin.Door
    let clock: any WallClock
    /// SHA-256.
    let digest: @Sendable ([UInt8]) -> [UInt8]

    /// One result for each token, in their order.
    func send(
        _ content: Result<LegacyContent, LegacyErrorCode>, to tokens: [String], in project: Project, isDryRun: Bool
    ) async -> [LegacyResult] {
        switch content {
        case .success(let content): await send(content, to: tokens, in: project, isDryRun: isDryRun)
        case .failure(let code): tokens.map { LegacyResult(token: $0, outcome: .failed(code)) }
        }
    }

    private func send(
        _ content: LegacyContent, to tokens: [String], in project: Project, isDryRun: Bool
    ) async -> [LegacyResult] {
        let recipients = tokens.map { recipient($0, restrictedTo: content.restrictedPackageName, in: project) }
        let current = recipients.compactMap { try? $0.get() }
        guard !current.isEmpty else { return zip(tokens, recipients).map { Self.refusal(of: $0, $1) } }
        let receipt: MulticastReceipt
        do {
            receipt = try await pipeline.sendEach(
                message(content), to: current, in: project, validateOnly: isDryRun)
        } catch {
            return zip(tokens, recipients).map { token, recipient in
                Self.refusal(of: token, recipient.flatMap { _ in .failure(error) })
            }
        }
        return merge(tokens, recipients, receipt)
    }

    /// The current token of the registration that a token names, when the app may have the message.
    private func recipient(
        _ token: String, restrictedTo package: String?, in project: Project
    ) -> Result<String, SendError> {
        Result { () throws(SendError) in
            let found = try registrations.registration(currentOrEarlierToken: token, in: project.number)
            if let package, !package.isEmpty, package != found.registration.bundleID { throw .otherPackage }
            return found.currentToken ?? token
        }
    }

    private func merge(
        _ tokens: [String], _ recipients: [Result<String, SendError>], _ receipt: MulticastReceipt
    ) -> [LegacyResult] {
        var sent = receipt.results[...]
        return zip(tokens, recipients).map { token, recipient in
            guard case .success(let current) = recipient, let result = sent.popFirst() else {
                return Self.refusal(of: token, recipient)
            }
            if let error = result.error { return .failed(token, error) }
            return LegacyResult(
                token: token, outcome: .accepted(receipt.id), currentToken: current == token ? nil : current)
        }
    }

    private static func refusal(of token: String, _ recipient: Result<String, SendError>) -> LegacyResult {
        switch recipient {
        case .failure(let error): .failed(token, error)
        case .success: .failed(token, .unavailable)
        }
    }

    /// Sends to a topic or condition.
    func send(
        _ content: LegacyContent, to target: SendTarget, in project: Project, isDryRun: Bool
    ) async throws(SendError) -> MessageID? {
        let request = SendRequest(
            project: project.id, target: target, message: message(content), validateOnly: isDryRun)
        return try await pipeline.send(request, in: project).id
    }

    private func message(_ content: LegacyContent) -> Message {
        var message = content.message(at: clock.now(), digest: digest)
        message.origin = MessageOrigin(door)
        return message
    }
}

extension SendError {
    /// The message is for another app than the one that the token belongs to.
    fileprivate static let otherPackage = SendError(
        .packageMismatch, "The restricted package name is not that of the registration.")
}
