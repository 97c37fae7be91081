public import GoogleAPI
import HTTPSemantics
public import PushCore
import PushModel
public import Timekeeping

/// `POST /fcm/send` and `POST /gcm/send`: the legacy HTTP protocol, in JSON and as a form.
///
/// Who calls is settled before the body is read. Source: Firebase Cloud Messaging HTTP protocol (until 2024); AOSP,
/// "GCM HTTP connection server".
public struct LegacySendRoutes: Sendable {
    /// A thousand tokens of four thousand characters and a message.
    private static let bodyLimitBytes = 10 << 20

    private let senders: SenderAuthentication
    private let sender: LegacySender
    private let groups: DeviceGroupMembers
    private let newMulticastID: @Sendable () -> Int64

    /// - Parameter sealing: Makes multicast ids and hashes collapse keys.
    public init(
        pipeline: SendPipeline, senders: SenderAuthentication, registrations: any RegistrationStore,
        groups: any DeviceGroupStore, clock: any WallClock, sealing: Sealing
    ) {
        self.senders = senders
        let tokens = RegistrationTokenCodec(sealing: sealing)
        sender = LegacySender(
            pipeline: pipeline, registrations: RegistrationLookup(registrations: registrations, tokens: tokens),
            door: .legacy, clock: clock, digest: sealing.digest)
        self.groups = DeviceGroupMembers(
            groups: groups, registrations: registrations, keys: DeviceGroupKeyCodec(sealing: sealing), tokens: tokens)
        newMulticastID = { Int64(truncatingIfNeeded: sealing.randomInteger() >> 1) }
    }

    public func add(to router: inout Router) {
        for pattern: PathPattern in ["/fcm/send", "/gcm/send"] {
            router.post(pattern, bodyLimitBytes: Self.bodyLimitBytes) { await answer($0) }
        }
    }

    private func answer(_ request: RoutedRequest) async -> HTTPResponse {
        guard let project = senders.project(of: request.head) else { return .unauthorizedPage }
        let isJSON = Self.isJSON(request.head)
        let decoded: LegacyRequest
        do {
            decoded = try isJSON ? LegacyJSONDecoder.decode(request.body) : LegacyFormDecoder.decode(request.body)
        } catch {
            return LegacyReply.malformed(error)
        }
        let reply = LegacyReply(multicastID: newMulticastID())
        return isJSON
            ? await answerJSON(decoded, from: project, reply) : await answerPlain(decoded, from: project, reply)
    }

    /// Everything but JSON is plain text, also nothing at all.
    private static func isJSON(_ head: HTTPRequestHead) -> Bool {
        let type = head.fields["content-type"]?.prefix { $0 != ";" }
        return type?.trimmingSpaces().lowercased() == "application/json"
    }

    // MARK: The two forms

    private func answerPlain(_ request: LegacyRequest, from project: Project, _ reply: LegacyReply) async
        -> HTTPResponse
    {
        guard case .one(let token) = request.target else {
            return reply.plain(LegacyResult(token: "", outcome: .failed(.missingRegistration)))
        }
        let results = await sender.send(request.content, to: [token], in: project, isDryRun: request.isDryRun)
        return reply.plain(results[0])
    }

    private func answerJSON(_ request: LegacyRequest, from project: Project, _ reply: LegacyReply) async
        -> HTTPResponse
    {
        switch request.target {
        case .nobody:
            return reply.multicast([LegacyResult(token: "", outcome: .failed(.missingRegistration))])
        case .one(let text):
            return await answer(request, to: text, from: project, reply)
        case .many(let tokens):
            return reply.multicast(
                await sender.send(request.content, to: tokens, in: project, isDryRun: request.isDryRun))
        case .topic(let name):
            return await answer(request, to: .topic(name), from: project, reply)
        case .condition(let text):
            do throws(SendError) {
                let target = try SendTarget.condition(parsing: text, allowsNegation: true, field: "condition")
                return await answer(request, to: target, from: project, reply)
            } catch {
                return reply.topicFailure(error)
            }
        }
    }

    // MARK: Targets

    /// A token or a notification key. A key whose group is gone is answered like a token.
    private func answer(_ request: LegacyRequest, to text: String, from project: Project, _ reply: LegacyReply) async
        -> HTTPResponse
    {
        do throws(SendError) {
            guard let members = try groups.tokens(ofKey: text, in: project.number) else {
                return reply.multicast(
                    await sender.send(request.content, to: [text], in: project, isDryRun: request.isDryRun))
            }
            return reply.group(
                await sender.send(request.content, to: members, in: project, isDryRun: request.isDryRun))
        } catch {
            return reply.multicast([.failed(text, error)])
        }
    }

    private func answer(
        _ request: LegacyRequest, to target: SendTarget, from project: Project, _ reply: LegacyReply
    ) async -> HTTPResponse {
        switch request.content {
        case .failure(let code): return reply.topicFailure(code)
        case .success(let content):
            do throws(SendError) {
                return reply.topic(
                    try await sender.send(content, to: target, in: project, isDryRun: request.isDryRun))
            } catch {
                return reply.topicFailure(error)
            }
        }
    }
}
