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
    /// Seconds from 1601 to 1970.
    private static let epochGapSeconds: Int64 = 11_644_473_600
    private static let maximumContentBytes = 4_096

    private let store: any UpstreamStore
    private let registrations: any DeviceRegistrations
    private let directory: any ProjectDirectory
    private let groupKeys: DeviceGroupKeyCodec
    private let pipeline: SendPipeline
    private let tokens: RegistrationTokenCodec
    private let clock: any WallClock
    private let accepted: @Sendable (UpstreamMessage) -> Void

    /// - Parameter accepted: Takes what is stored on its way to the app server.
    public init(
        store: any UpstreamStore, registrations: any DeviceRegistrations, directory: any ProjectDirectory,
        groupKeys: DeviceGroupKeyCodec, pipeline: SendPipeline, tokens: RegistrationTokenCodec,
        clock: any WallClock, accepted: @escaping @Sendable (UpstreamMessage) -> Void
    ) {
        self.store = store
        self.registrations = registrations
        self.directory = directory
        self.groupKeys = groupKeys
        self.pipeline = pipeline
        self.tokens = tokens
        self.clock = clock
        self.accepted = accepted
    }

    /// - Throws: When the store does not answer: the device sends it again later.
    public func accept(_ message: IncomingUpstream, from device: UInt64) async throws(StoreError) -> UpstreamAnswer {
        guard !message.messageID.isEmpty, message.contentBytes <= Self.maximumContentBytes else {
            return .refused(error: message.messageID.isEmpty ? "invalid_parameters" : "messagetoobig")
        }
        let expiresAt = expiry(of: message)
        guard expiresAt > clock.now() || message.timeToLiveSeconds == 0 else { return .expired }
        if let group = groupKeys.decode(message.destination) {
            return await forward(message, toGroupOf: group.project, from: device)
        }
        guard let project = message.destinationProject.flatMap({ directory.project(number: $0) }) else {
            return .refused(error: "invalid_parameters")
        }
        guard let sender = try sender(of: message, device: device, project: project.number) else {
            return .refused(error: "not_registered")
        }
        let draft = UpstreamDraft(
            project: project.number, kind: .message, from: name(of: sender), category: message.category,
            messageID: message.messageID, data: message.data, rawData: message.rawData,
            timeToLiveSeconds: lifetime(of: message),
            expiresAt: message.timeToLiveSeconds == 0 ? clock.now().adding(seconds: 60) : expiresAt)
        let origin =
            message.queueID.isEmpty
            ? nil : UpstreamOrigin(device: device, category: message.category, queueID: message.queueID)
        guard let stored = try await store.acceptUpstream(draft, from: origin) else { return .repeated }
        accepted(stored)
        return .accepted
    }

    private func name(of sender: Registration) -> String {
        sender.isFIDMode ? sender.fid : tokens.token(of: sender)
    }

    private func sender(
        of message: IncomingUpstream, device: UInt64, project: ProjectNumber
    ) throws(StoreError) -> Registration? {
        try registrations.liveRegistrations(ofDevice: device)
            .filter { $0.bundleID == message.category && $0.project == project }
            .max { $0.confirmedAt < $1.confirmedAt }
    }

    /// Source: FCM legacy, "Send upstream messages to a device group": the members get it as a data message.
    private func forward(
        _ message: IncomingUpstream, toGroupOf number: ProjectNumber, from device: UInt64
    ) async -> UpstreamAnswer {
        guard let project = directory.project(number: number),
            (try? sender(of: message, device: device, project: number)) != nil
        else { return .refused(error: "not_registered") }
        let data = message.data.filter { !DataKeyRules.isReserved($0.key) }
        let request = SendRequest(
            project: project.id, target: .token(message.destination),
            message: Message(
                data: data, android: AndroidOptions(timeToLive: TimeToLive(seconds: lifetime(of: message)))))
        do {
            _ = try await pipeline.send(request, in: project)
            return .accepted
        } catch {
            return .refused(error: error.kind == .messageTooBig ? "messagetoobig" : "invalid_parameters")
        }
    }

    private func lifetime(of message: IncomingUpstream) -> Int64 {
        let given = message.timeToLiveSeconds ?? Self.longestLifetimeSeconds
        return (0...Self.longestLifetimeSeconds).contains(given) ? given : Self.longestLifetimeSeconds
    }

    /// A device whose clock is ahead gains no life by that.
    private func expiry(of message: IncomingUpstream) -> Timestamp {
        let now = clock.now().seconds
        var sent = message.sentSeconds ?? now
        if sent > 10_000_000_000 { sent -= Self.epochGapSeconds }
        return Timestamp(seconds: min(max(0, sent), now) + lifetime(of: message))
    }
}

/// The registrations that a device holds.
public protocol DeviceRegistrations: Sendable {
    func liveRegistrations(ofDevice androidID: UInt64) throws(StoreError) -> [Registration]
}

extension IncomingUpstream {
    /// The local part of `<sender id>@…`.
    fileprivate var destinationProject: ProjectNumber? {
        ProjectNumber(destination.prefix { $0 != "@" })
    }

    fileprivate var contentBytes: Int {
        data.reduce(rawData?.count ?? 0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
