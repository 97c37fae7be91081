import PushCore
import PushModel
import Testing
import Timekeeping

/// What is refused for a recipient before the message is accepted, also when the sender only asks.
@Suite struct `Sends that a recipient cannot have` {
    typealias World = DirectChannelWorld

    let world = World()
    let store = NotedDeliveries()

    private var pipeline: SendPipeline {
        SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(
                lookup: RegistrationLookup(registrations: world.store, tokens: world.tokens), groups: OneGroup(),
                groupKeys: DeviceGroupKeyCodec(sealing: TestSealing.make())),
            translator: ApplePushTranslator(), planner: world.planner, store: store, deliveries: world,
            fanOuts: NoFanOuts(), ids: MessageIDSource(clock: world.clock, after: MessageID(value: 0)),
            clock: world.clock, delays: ManualScheduler(Changes()), observer: world, answerPatienceMilliseconds: 0)
    }

    private func register(_ channel: Registration.Channel, bundle: String = "com.example.app") async throws -> String {
        let registration = try await world.store.register(
            RegistrationDraft(
                project: RegistryWorld.project.number, app: nil, fid: "c1", bundleID: bundle, channel: channel,
                isFIDMode: false, androidID: 7, time: Sample.acceptedAt, freshNonce: 1))
        return world.tokens.token(of: registration)
    }

    private func refusal(of message: Message, to token: String, validateOnly: Bool) async -> SendError.Kind? {
        let request = SendRequest(
            project: RegistryWorld.project.id, target: .token(token), message: message, validateOnly: validateOnly)
        do throws(SendError) {
            _ = try await pipeline.send(request, in: RegistryWorld.project)
            return nil
        } catch {
            return error.kind
        }
    }

    private static let browser = Registration.Channel.web(
        endpoint: "https://push.example.com/1", p256dh: "k", auth: "a", applicationKey: "")

    /// Within 4,096 bytes of data, and beyond what is left of that in a browser's push.
    private static func long(_ bytes: Int) -> Message {
        Message(data: [.init(key: "k", value: String(repeating: "x", count: bytes))])
    }

    @Test(arguments: [false, true]) func `because a browser takes no more than 3,992 bytes`(onlyAsks: Bool) async throws
    {
        let token = try await register(Self.browser)
        #expect(await refusal(of: Self.long(3_700), to: token, validateOnly: onlyAsks) == nil)
        #expect(await refusal(of: Self.long(4_090), to: token, validateOnly: onlyAsks) == .messageTooBig)
        let each = try? await pipeline.sendEach(
            Self.long(4_090), to: [token], in: RegistryWorld.project, validateOnly: onlyAsks)
        #expect(each == nil)
        let topic = Message(webpush: WebPushOptions(headers: [.init(key: "topic", value: "not a topic")]))
        #expect(await refusal(of: topic, to: token, validateOnly: onlyAsks) == .invalidArgument)
        #expect(store.accepted.count == (onlyAsks ? 0 : 1))
    }

    @Test(arguments: [false, true]) func `an Android app may have more than a browser`(onlyAsks: Bool) async throws {
        let token = try await register(.device)
        #expect(await refusal(of: Self.long(4_090), to: token, validateOnly: onlyAsks) == nil)
    }

    static let packages: [(package: String?, channel: Registration.Channel, refusal: SendError.Kind?)] = [
        (nil, .device, nil), ("", .device, nil), ("com.example.app", .device, nil),
        ("com.example.other", .device, .packageMismatch), ("com.example.app ", .device, .packageMismatch),
        ("com.example", .device, .packageMismatch), ("com.example.other", .apple(Sample.address()), nil),
        ("com.example.other", browser, nil),
    ]

    @Test(arguments: packages.indices) func `because its package is another`(row: Int) async throws {
        let row = Self.packages[row]
        let token = try await register(row.channel)
        let message = Message(android: AndroidOptions(restrictedPackageName: row.package))
        for onlyAsks in [true, false] {
            #expect(await refusal(of: message, to: token, validateOnly: onlyAsks) == row.refusal)
        }
        #expect(store.accepted.count == (row.refusal == nil ? 1 : 0))
    }
}
