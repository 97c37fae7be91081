import PushCore
import PushModel
import Synchronization
import Testing
import Timekeeping

/// An intake over a store in memory. Messages to groups end in a pipeline whose deliveries are noted.
private final class IntakeWorld: Sendable {
    static let project = RegistryWorld.project
    static let other = ProjectNumber(value: 210_987_654_321)
    static let bundle = "com.example.app"

    let channel = DirectChannelWorld()
    let forwarded = NotedDeliveries()
    private let accepted = Mutex<[UpstreamMessage]>([])
    private let groupKeys = DeviceGroupKeyCodec(sealing: TestSealing.make())

    var handedOn: [UpstreamMessage] { accepted.withLock(\.self) }
    var groupKey: String { groupKeys.key(of: DeviceGroupID(value: 1), in: Self.project.number) }

    func intake(messagesPerMinute: Int? = nil) -> UpstreamIntake {
        let clock = channel.clock
        let pipeline = SendPipeline(
            validator: MessageValidator(),
            resolver: RecipientResolver(
                lookup: RegistrationLookup(registrations: channel.store, tokens: channel.tokens), groups: OneGroup(),
                groupKeys: groupKeys),
            translator: ApplePushTranslator(), planner: channel.planner, store: forwarded, deliveries: channel,
            fanOuts: NoFanOuts(), ids: MessageIDSource(clock: clock, after: MessageID(value: 0)), clock: clock,
            delays: ManualScheduler(Changes()), observer: channel, answerPatienceMilliseconds: 0)
        return UpstreamIntake(
            store: channel.store, registrations: channel.store, directory: RegistryWorld.Directory(),
            groupKeys: groupKeys, pipeline: pipeline, tokens: channel.tokens, clock: clock,
            messagesPerMinute: messagesPerMinute
        ) { [self] message in accepted.withLock { $0.append(message) } }
    }

    @discardableResult func register(
        bundle: String = bundle, project: ProjectNumber = project.number, scope: String = "*", at seconds: Int64 = 0
    ) async throws -> Registration {
        try await channel.store.register(
            RegistrationDraft(
                project: project, app: nil, fid: Sample.fid, bundleID: bundle, channel: .device, isFIDMode: false,
                androidID: DirectChannelWorld.device, sender: project.description, scope: scope,
                time: Sample.acceptedAt.adding(seconds: seconds), freshNonce: 3))
    }

    static func message(_ change: (inout IncomingUpstream) -> Void = { _ in }) -> IncomingUpstream {
        var message = IncomingUpstream(
            category: bundle, destination: "\(project.number)@gcm.googleapis.com", messageID: "m-1", queueID: "7",
            data: Sample.data(("k", "v")), timeToLiveSeconds: 600, sentSeconds: Sample.acceptedAt.seconds)
        change(&message)
        return message
    }

    func accept(_ message: IncomingUpstream = message()) async throws -> UpstreamAnswer {
        try await intake().accept(message, from: DirectChannelWorld.device)
    }
}

@Suite struct `Messages of apps to their app servers` {
    // MARK: Accepted

    @Test func `are stored, handed on, and told from their repetitions`() async throws {
        let world = IntakeWorld()
        let registration = try await world.register()
        let message = IntakeWorld.message { $0.rawData = [1] }
        #expect(try await world.accept(message) == .accepted)
        let stored = try #require(world.handedOn.first)
        #expect(world.channel.store.upstream == [stored])
        #expect(
            stored.content
                == UpstreamDraft(
                    project: IntakeWorld.project.number, kind: .message,
                    from: world.channel.tokens.token(of: registration), category: IntakeWorld.bundle, messageID: "m-1",
                    data: Sample.data(("k", "v")), rawData: [1], timeToLiveSeconds: 600,
                    expiresAt: Sample.acceptedAt.adding(seconds: 600)))
        #expect(try await world.accept(message) == .repeated)
        #expect(try await world.accept(IntakeWorld.message { $0.queueID = "8" }) == .accepted)
        #expect(world.handedOn.count == 2)
    }

    @Test func `without a number of their own are new each time`() async throws {
        let world = IntakeWorld()
        try await world.register()
        for _ in 0..<2 { #expect(try await world.accept(IntakeWorld.message { $0.queueID = "" }) == .accepted) }
        #expect(world.handedOn.count == 2)
    }

    @Test func `come from the registration that was confirmed last`() async throws {
        let world = IntakeWorld()
        try await world.register(scope: "a", at: 1)
        let newest = try await world.register(scope: "b", at: 3)
        try await world.register(scope: "c", at: 2)
        _ = try await world.accept()
        #expect(world.handedOn.first?.content.from == world.channel.tokens.token(of: newest))
    }

    static let times: [(name: String, lives: Int64?, sent: Int64?, expiresIn: Int64?, seconds: Int64)] = [
        ("a day when nothing is said", nil, nil, 86_400, 86_400),
        ("from when it was sent", 600, 1_700_000_000 - 100, 500, 600),
        ("counted from 1601", 600, 1_700_000_000 - 100 + 11_644_473_600, 500, 600),
        ("no more than a day", 86_401, 1_700_000_000, 86_400, 86_400),
        ("a day when it is negative", -1, 1_700_000_000, 86_400, 86_400),
        ("not longer by a clock that is ahead", 600, 1_700_000_000 + 5_000, 600, 600),
        ("not longer by milliseconds", 600, 1_700_000_000_000, 600, 600),
        ("not longer by the largest number", 600, .max, 600, 600),
        ("not shorter by a clock that knows nothing", 600, 0, 600, 600),
        ("not shorter by a negative clock", 600, .min, 600, 600),
        ("a minute for an app server that is there, when it is now or never", 0, 1_700_000_000, 60, 0),
        ("a minute for a late one that is now or never", 0, 1_600_000_000, 60, 0),
        ("over", 600, 1_700_000_000 - 600, nil, 600),
        ("long over", 86_400, 1_600_000_000, nil, 86_400),
    ]

    @Test(arguments: times) func `live`(
        row: (name: String, lives: Int64?, sent: Int64?, expiresIn: Int64?, seconds: Int64)
    ) async throws {
        let world = IntakeWorld()
        try await world.register()
        let answer = try await world.accept(
            IntakeWorld.message { ($0.timeToLiveSeconds, $0.sentSeconds) = (row.lives, row.sent) })
        #expect(answer == (row.expiresIn == nil ? .expired : .accepted))
        let stored = world.handedOn.first?.content
        #expect(stored?.expiresAt == row.expiresIn.map { Sample.acceptedAt.adding(seconds: $0) })
        if row.expiresIn != nil { #expect(stored?.timeToLiveSeconds == row.seconds) }
    }

    // MARK: Refused

    static let refusals: [(name: String, change: @Sendable (inout IncomingUpstream) -> Void, error: String)] = [
        ("no id", { $0.messageID = "" }, "invalid_parameters"),
        ("a long id", { $0.messageID = String(repeating: "x", count: 1_025) }, "invalid_parameters"),
        ("a long number", { $0.queueID = String(repeating: "1", count: 1_025) }, "invalid_parameters"),
        ("a long app", { $0.category = String(repeating: "a", count: 1_025) }, "invalid_parameters"),
        ("a byte too many", { $0.data = Sample.data(("k", String(repeating: "x", count: 4_096))) }, "messagetoobig"),
        (
            "too much raw data",
            { message in
                message.data = []
                message.rawData = Array(repeating: 0, count: 4_097)
            }, "messagetoobig"
        ),
        ("nobody", { $0.destination = "" }, "invalid_parameters"),
        ("no number", { $0.destination = "me@gcm.googleapis.com" }, "invalid_parameters"),
        ("a padded number", { $0.destination = "0123456789012@gcm.googleapis.com" }, "invalid_parameters"),
        ("an unknown project", { $0.destination = "1@gcm.googleapis.com" }, "invalid_parameters"),
        ("another app", { $0.category = "com.example.other" }, "not_registered"),
    ]

    @Test(arguments: refusals) func `are refused with the reason`(
        row: (name: String, change: @Sendable (inout IncomingUpstream) -> Void, error: String)
    ) async throws {
        let world = IntakeWorld()
        try await world.register()
        #expect(try await world.accept(IntakeWorld.message(row.change)) == .refused(error: row.error))
        #expect(world.channel.store.upstream.isEmpty && world.handedOn.isEmpty)
    }

    @Test func `as large as they may be are accepted`() async throws {
        let world = IntakeWorld()
        try await world.register()
        let large = IntakeWorld.message { message in
            message.data = Sample.data(("k", String(repeating: "x", count: 4_000)))
            message.rawData = Array(repeating: 0, count: 95)
            message.messageID = String(repeating: "i", count: 1_024)
        }
        #expect(try await world.accept(large) == .accepted)
    }

    @Test func `of a device without a registration are refused`() async throws {
        let world = IntakeWorld()
        let registration = try await world.register()
        #expect(try await world.intake().accept(IntakeWorld.message(), from: 43) == .refused(error: "not_registered"))
        try await world.channel.store.end(registration.id, .deletedByApp, at: Sample.acceptedAt)
        #expect(try await world.accept() == .refused(error: "not_registered"))
    }

    @Test func `are limited for each device, and go on as time passes`() async throws {
        let world = IntakeWorld()
        try await world.register()
        let intake = world.intake(messagesPerMinute: 3)
        var answers: [UpstreamAnswer] = []
        for number in 0..<4 {
            let message = IntakeWorld.message { $0.queueID = "\(number)" }
            answers.append(try await intake.accept(message, from: DirectChannelWorld.device))
        }
        #expect(answers == [.accepted, .accepted, .accepted, .refused(error: "toomanymessages")])
        #expect(try await intake.accept(IntakeWorld.message(), from: 43) == .refused(error: "not_registered"))
        world.channel.clock.set(Sample.acceptedAt.adding(seconds: 20))
        let later = IntakeWorld.message { $0.queueID = "later" }
        #expect(try await intake.accept(later, from: DirectChannelWorld.device) == .accepted)
    }

    @Test func `that the store cannot take are for the device to send again`() async throws {
        let world = IntakeWorld()
        try await world.register()
        world.channel.store.setBroken(true)
        await #expect(throws: StoreError.self) { try await world.accept() }
        world.channel.store.setBroken(false)
        #expect(try await world.accept() == .accepted)
    }

    // MARK: To a group

    private func toGroup(_ world: IntakeWorld) -> IncomingUpstream {
        IntakeWorld.message { message in
            message.destination = world.groupKey
            message.data = Sample.data(("k", "v"), ("google.x", "dropped"), ("from", "dropped"))
        }
    }

    @Test func `go to the group's members as data, once`() async throws {
        let world = IntakeWorld()
        let member = try await world.register()
        #expect(try await world.accept(toGroup(world)) == .accepted)
        #expect(try await world.accept(toGroup(world)) == .repeated)
        let sent = try #require(world.forwarded.accepted.first)
        #expect(world.forwarded.accepted.count == 1)
        #expect(sent.recipients == [member.id])
        #expect(sent.message.message.data == Sample.data(("k", "v")))
        #expect(sent.message.message.android?.timeToLive?.seconds == 600)
        #expect(world.handedOn.isEmpty)
    }

    @Test func `go to the group once, even when they come twice at once`() async throws {
        let world = IntakeWorld()
        try await world.register()
        let intake = world.intake()
        let message = toGroup(world)
        let answers = try await withThrowingTaskGroup(of: UpstreamAnswer.self) { group in
            for _ in 0..<20 { group.addTask { try await intake.accept(message, from: DirectChannelWorld.device) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == .accepted } == 1 && answers.count { $0 == .repeated } == 19)
        #expect(world.forwarded.accepted.count == 1)
    }

    @Test func `that could not be sent now are for the device to send again`() async throws {
        let world = IntakeWorld()
        try await world.register()
        world.forwarded.fail(1)
        await #expect(throws: StoreError.self) { try await world.accept(toGroup(world)) }
        #expect(try await world.accept(toGroup(world)) == .accepted)
        #expect(world.forwarded.accepted.count == 1)
    }

    @Test func `to a group that is none are refused`() async throws {
        let world = IntakeWorld()
        try await world.register()
        let key = DeviceGroupKeyCodec(sealing: TestSealing.make())
            .key(of: DeviceGroupID(value: 2), in: IntakeWorld.project.number)
        let unknown = IntakeWorld.message { $0.destination = key }
        #expect(try await world.accept(unknown) == .refused(error: "invalid_parameters"))
        let foreign = IntakeWorld.message { message in
            message.destination = DeviceGroupKeyCodec(sealing: TestSealing.make())
                .key(of: DeviceGroupID(value: 1), in: IntakeWorld.other)
        }
        #expect(try await world.accept(foreign) == .refused(error: "invalid_parameters"))
    }
}
