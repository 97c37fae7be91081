public import PushModel
public import Timekeeping

/// A message that an app sent over the device channel.
public struct IncomingUpstream: Sendable, Equatable {
    public var category: String
    /// `<sender id>@gcm.googleapis.com`, or the key of a device group.
    public var destination: String
    /// The app's own id of the message.
    public var messageID: String
    /// The device's id of the message in its queue; empty when it does not keep it.
    public var queueID: String
    public var data: [Message.DataEntry]
    public var rawData: [UInt8]?
    /// Seconds; `nil` for a day.
    public var timeToLiveSeconds: Int64?
    /// Seconds since 1970, or since 1601 as Chromium counts; `nil` when the device does not say.
    public var sentSeconds: Int64?

    public init(
        category: String, destination: String, messageID: String, queueID: String, data: [Message.DataEntry],
        rawData: [UInt8]? = nil, timeToLiveSeconds: Int64? = nil, sentSeconds: Int64? = nil
    ) {
        self.category = category
        self.destination = destination
        self.messageID = messageID
        self.queueID = queueID
        self.data = data
        self.rawData = rawData
        self.timeToLiveSeconds = timeToLiveSeconds
        self.sentSeconds = sentSeconds
    }
}

/// What came of an upstream message. All but `unavailable` let the device forget it.
public enum UpstreamAnswer: Sendable, Equatable {
    case accepted
    /// It was accepted before.
    case repeated
    case expired
    /// The app is told why: an error name of the protocol.
    case refused(error: String)
}

/// Accepts messages of apps for their app servers. Durable before it answers.
public struct UpstreamIntake: Sendable {
    /// Source: FCM, upstream messages: a day.
    static let longestLifetimeSeconds: Int64 = 86_400
    /// How long an app server that is there has for a message that is now or never.
    static let immediateLifetimeSeconds: Int64 = 60
    private static let maximumContentBytes = 4_096

    /// Names of errors, as the app's SDK tells them apart. Source: Firebase Android SDK, `SendException`.
    enum Refusal {
        static let invalid = "invalid_parameters"
        static let tooLarge = "messagetoobig"
        static let tooMany = "toomanymessages"
        static let notRegistered = "not_registered"
    }

    private let store: any UpstreamStore & UpstreamOrigins
    private let registrations: any DeviceRegistrations
    private let directory: any ProjectDirectory
    private let groupKeys: DeviceGroupKeyCodec
    private let pipeline: SendPipeline
    private let tokens: RegistrationTokenCodec
    private let clock: any WallClock
    private let quota: RateBuckets<UInt64>?
    private let turns = OriginTurns()
    private let accepted: @Sendable (UpstreamMessage) -> Void

    /// - Parameters:
    ///   - messagesPerMinute: Of one device; `nil` for no limit. Source: FCM, "Throttling and quotas".
    ///   - accepted: Takes what is stored on its way to the app server.
    public init(
        store: any UpstreamStore & UpstreamOrigins, registrations: any DeviceRegistrations,
        directory: any ProjectDirectory, groupKeys: DeviceGroupKeyCodec, pipeline: SendPipeline,
        tokens: RegistrationTokenCodec, clock: any WallClock, messagesPerMinute: Int? = 1_000,
        accepted: @escaping @Sendable (UpstreamMessage) -> Void
    ) {
        self.store = store
        self.registrations = registrations
        self.directory = directory
        self.groupKeys = groupKeys
        self.pipeline = pipeline
        self.tokens = tokens
        self.clock = clock
        self.accepted = accepted
        quota = messagesPerMinute.map { count in
            RateBuckets(burst: count, intervalMilliseconds: 60_000 / Int64(max(1, count)))
        }
    }

    /// - Throws: When the store does not answer: the device sends it again later.
    public func accept(_ message: IncomingUpstream, from device: UInt64) async throws(StoreError) -> UpstreamAnswer {
        let now = clock.now()
        if let refusal = message.refusal(maximumBytes: Self.maximumContentBytes) { return .refused(error: refusal) }
        guard quota?.take(device, at: now) == nil else { return .refused(error: Refusal.tooMany) }
        guard message.lifetimeSeconds == 0 || message.expiry(at: now) > now else { return .expired }
        let group = groupKeys.decode(message.destination)?.project
        guard let project = (group ?? message.destinationProject).flatMap({ directory.project(number: $0) }) else {
            return .refused(error: Refusal.invalid)
        }
        guard let sender = try sender(of: message, device: device, project: project.number) else {
            return .refused(error: Refusal.notRegistered)
        }
        let origin =
            message.queueID.isEmpty
            ? nil : UpstreamOrigin(device: device, category: message.category, queueID: message.queueID)
        guard group == nil else { return try await forward(message, from: origin, in: project, at: now) }
        return try await keep(message, of: sender, from: origin, in: project, at: now)
    }

    private func sender(
        of message: IncomingUpstream, device: UInt64, project: ProjectNumber
    ) throws(StoreError) -> Registration? {
        try registrations.liveRegistrations(ofDevice: device)
            .filter { $0.bundleID == message.category && $0.project == project }
            .max { $0.confirmedAt < $1.confirmedAt }
    }

    private func keep(
        _ message: IncomingUpstream, of sender: Registration, from origin: UpstreamOrigin?, in project: Project,
        at now: Timestamp
    ) async throws(StoreError) -> UpstreamAnswer {
        let draft = UpstreamDraft(
            project: project.number, kind: .message, from: sender.isFIDMode ? sender.fid : tokens.token(of: sender),
            category: message.category, messageID: message.messageID, data: message.data, rawData: message.rawData,
            timeToLiveSeconds: message.lifetimeSeconds,
            expiresAt: message.lifetimeSeconds == 0
                ? now.adding(seconds: Self.immediateLifetimeSeconds) : message.expiry(at: now))
        guard let stored = try await store.acceptUpstream(draft, from: origin) else { return .repeated }
        accepted(stored)
        return .accepted
    }

    /// Source: FCM legacy, "Send upstream messages to a device group": the members get it as a data message.
    private func forward(
        _ message: IncomingUpstream, from origin: UpstreamOrigin?, in project: Project, at now: Timestamp
    ) async throws(StoreError) -> UpstreamAnswer {
        guard let origin else { return try await send(message, in: project) }
        await turns.begin(origin)
        defer { turns.end(origin) }
        if try store.knowsUpstream(from: origin) { return .repeated }
        let answer = try await send(message, in: project)
        // After it was sent: a crash in between repeats it, at least once.
        try await store.rememberUpstream(from: origin, to: project.number, expiresAt: message.expiry(at: now))
        return answer
    }

    private func send(
        _ message: IncomingUpstream, in project: Project
    ) async throws(StoreError) -> UpstreamAnswer {
        let request = SendRequest(
            project: project.id, target: .token(message.destination),
            message: Message(
                data: message.data.filter { !DataKeyRules.isReserved($0.key) },
                android: AndroidOptions(timeToLive: TimeToLive(seconds: message.lifetimeSeconds)),
                origin: MessageOrigin(.device)))
        do {
            _ = try await pipeline.send(request, in: project)
        } catch {
            return .refused(error: try Self.refusal(of: error))
        }
        return .accepted
    }

    /// - Throws: When the device may have more luck with the same message later.
    private static func refusal(of error: SendError) throws(StoreError) -> String {
        switch error.kind {
        case .unavailable, .internalError: throw .unavailable(error.message)
        case .messageTooBig: Refusal.tooLarge
        case .projectQuotaExceeded, .deviceQuotaExceeded, .topicQuotaExceeded: Refusal.tooMany
        default: Refusal.invalid
        }
    }
}

/// The registrations that a device holds.
public protocol DeviceRegistrations: Sendable {
    func liveRegistrations(ofDevice androidID: UInt64) throws(StoreError) -> [Registration]
}

extension IncomingUpstream {
    /// Seconds from 1601 to 1970.
    private static let epochGapSeconds: Int64 = 11_644_473_600
    /// Later seconds since 1970 than any clock of a device shows.
    private static let latestSeconds: Int64 = 10_000_000_000
    private static let maximumNameBytes = 1_024

    fileprivate func refusal(maximumBytes: Int) -> String? {
        guard !messageID.isEmpty, [messageID, queueID, category].allSatisfy({ $0.utf8.count <= Self.maximumNameBytes })
        else { return UpstreamIntake.Refusal.invalid }
        return contentBytes > maximumBytes ? UpstreamIntake.Refusal.tooLarge : nil
    }

    /// The local part of `<sender id>@…`.
    fileprivate var destinationProject: ProjectNumber? {
        ProjectNumber(destination.prefix { $0 != "@" })
    }

    fileprivate var contentBytes: Int {
        data.reduce(rawData?.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// A day for what is out of range.
    fileprivate var lifetimeSeconds: Int64 {
        let given = timeToLiveSeconds ?? UpstreamIntake.longestLifetimeSeconds
        return (0...UpstreamIntake.longestLifetimeSeconds).contains(given)
            ? given : UpstreamIntake.longestLifetimeSeconds
    }

    /// A device whose clock is ahead gains no life by that, and one that does not know the time loses none.
    fileprivate func expiry(at now: Timestamp) -> Timestamp {
        var sent = sentSeconds ?? 0
        if sent > Self.latestSeconds { sent -= Self.epochGapSeconds }
        return Timestamp(seconds: (sent > 0 ? min(sent, now.seconds) : now.seconds) + lifetimeSeconds)
    }
}
