public import JSON
public import PushCore
public import PushModel
public import Timekeeping

/// What a campaign's message looks like to Apple, and what is wrong with it.
public struct CampaignPreview: Sendable {
    public var payload: JSONValue
    public var headers: [Message.DataEntry]
    public var sizeBytes: Int
    public var violations: [SendError.Violation]
}

/// Renders a campaign as it would be sent, and asks the rules that every door asks.
public struct CampaignRendering: Sendable {
    private let validator: MessageValidator
    private let translator = ApplePushTranslator(silentUrgency: .refuse)

    public init(validator: MessageValidator) {
        self.validator = validator
    }

    /// - Parameter target: What the rules take for the target; size limits differ.
    public func preview(
        _ content: CampaignContent, id: CampaignID?, due: Occurrence, now: Timestamp, in project: Project
    ) -> CampaignPreview {
        let target = sendTarget(of: content)
        let request = CampaignMessage(content, id: id, due: due, now: now).request(to: target, in: project.id)
        var preview = CampaignPreview(payload: .null, headers: [], sizeBytes: 0, violations: [])
        do throws(SendError) {
            try validator.validate(request.message, to: target)
            let push = try push(of: request, in: project, now: now)
            preview.sizeBytes = push.payload.count
            preview.headers = push.headers
            preview.payload = (try? JSONValue(parsing: push.payload)) ?? .null
        } catch {
            preview.violations = Self.violations(error)
        }
        return preview
    }

    private func push(of request: SendRequest, in project: Project, now: Timestamp) throws(SendError) -> ApplePush {
        let message = ValidatedMessage(
            id: MessageID(value: 1), project: project, target: request.target, message: request.message,
            acceptedAt: now, expiresAt: now)
        let device = Registration(
            id: RegistrationID(value: 1), project: project.number, app: nil, fid: "dPreviewPreviewPreview",
            bundleID: "com.example.app", channel: .apple(nil), isFIDMode: true, tokenNonce: 0, androidID: 0,
            appVersion: "", sdkVersion: "", createdAt: now, confirmedAt: now)
        guard let token = APNsDeviceToken(hex: String(repeating: "0", count: 64)) else { throw .unavailable }
        return try translator.template(of: message).push(
            to: device, at: APNsAddress(token: token, environment: .production),
            pushID: "00000000-0000-0000-0000-000000000000")
    }

    private func sendTarget(of content: CampaignContent) -> SendTarget {
        switch content.target {
        case .topic(let topic): .topic(topic)
        case .condition(let condition): .condition(condition)
        case .device(let text): .token(text)
        case .segment, nil: .segment(Segment([]))
        }
    }

    /// The rules name fields of the message; a person sees fields of the campaign.
    private static func violations(_ error: SendError) -> [SendError.Violation] {
        if error.kind == .messageTooBig {
            let stop = error.message.hasSuffix(".") ? "" : "."
            return [
                .init(
                    field: "notification", description: "\(error.message)\(stop) Shorten the text or the data.")
            ]
        }
        guard !error.violations.isEmpty else { return [.init(field: "notification", description: error.message)] }
        return error.violations.map { violation in
            let field =
                switch violation.field {
                case let field where field.hasPrefix("message.data"): "options.data"
                case let field where field.hasPrefix("message.webpush.fcm_options"): "options.clickAction"
                case let field where field.hasPrefix("message.android"): "options"
                default: "notification"
                }
            return .init(field: field, description: violation.description)
        }
    }
}
