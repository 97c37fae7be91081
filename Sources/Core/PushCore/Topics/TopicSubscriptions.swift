public import PushModel
public import Timekeeping

/// Why a subscription could not be changed: one case per answer on which a caller can act.
public enum TopicError: Error, Sendable, Equatable {
    /// The text is not a token that this service ever gave out.
    case malformedToken
    /// The registration is gone or never was.
    case unknownRegistration
    /// The registration belongs to another project.
    case senderIDMismatch
    /// The registration follows `TopicLimits.topicsPerRegistration` topics already.
    case tooManyTopics
    /// The project's rules keep apps out of this topic.
    case denied
    /// The project changes more subscriptions per second than it may: try again.
    case changeRateExceeded
    /// The store does not answer: try again.
    case unavailable
}

/// Subscribes app instances to topics, for every door.
public struct TopicSubscriptions: Sendable {
    /// Who asks. The project's rules bind apps only.
    public enum Caller: Sendable {
        case app, appServer
    }

    private let store: any TopicStore
    private let registrations: RegistrationLookup
    private let clock: any WallClock
    private let quota: TopicChangeQuota?

    /// - Parameter quota: How many changes a project may make; `nil` for no limit.
    public init(
        store: any TopicStore, registrations: RegistrationLookup, clock: any WallClock, quota: TopicChangeQuota? = nil
    ) {
        self.store = store
        self.registrations = registrations
        self.clock = clock
        self.quota = quota
    }

    // MARK: One app instance

    /// - Returns: Whether it followed the topic not yet.
    @discardableResult
    public func subscribe(
        _ registration: Registration, to topic: TopicName, by caller: Caller
    ) async throws(TopicError) -> Bool {
        if caller == .app {
            let rules = try stored { () throws(StoreError) in try store.topicRules(of: registration.project) }
            guard rules.allows(topic, for: registration.fid) else { throw .denied }
        }
        return try await change(in: registration.project) { () async throws(StoreError) in
            try await store.subscribe([registration.id], to: topic, in: registration.project, at: clock.now())
        }
    }

    /// - Returns: Whether it followed the topic.
    @discardableResult
    public func unsubscribe(_ registration: Registration, from topic: TopicName) async throws(TopicError) -> Bool {
        try await change(in: registration.project) { () async throws(StoreError) in
            try await store.unsubscribe([registration.id], from: topic, in: registration.project)
        }
    }

    // MARK: Many, by token

    /// Subscribes what the tokens (or FIDs) name, in one transaction. Each counts as a change.
    /// - Parameter tokens: At most `TopicLimits.registrationsPerCall`; the caller refuses more.
    /// - Returns: For each token whether it was changed, or why not.
    public func subscribe(
        tokens: [String], to topic: TopicName, in project: ProjectNumber
    ) async throws(TopicError) -> [Result<Bool, TopicError>] {
        try await change(tokens, in: project) { (ids) async throws(StoreError) in
            try await store.subscribe(ids, to: topic, in: project, at: clock.now())
        }
    }

    public func unsubscribe(
        tokens: [String], from topic: TopicName, in project: ProjectNumber
    ) async throws(TopicError) -> [Result<Bool, TopicError>] {
        try await change(tokens, in: project) { (ids) async throws(StoreError) in
            try await store.unsubscribe(ids, from: topic, in: project)
        }
    }

    // MARK: Reading

    /// The live registration of a token or FID.
    public func registration(token: String, in project: ProjectNumber) throws(TopicError) -> Registration {
        do {
            return try registrations.registration(token: token, in: project)
        } catch {
            throw TopicError(error)
        }
    }

    public func subscription(
        of registration: Registration, to topic: TopicName
    ) throws(TopicError) -> TopicSubscription? {
        try stored { () throws(StoreError) in try store.subscription(of: registration.id, to: topic) }
    }

    /// - Parameter topic: The last one of the page before; `nil` for the first page.
    public func subscriptions(
        of registration: Registration, after topic: TopicName? = nil, limit: Int
    ) throws(TopicError) -> [TopicSubscription] {
        try stored { () throws(StoreError) in
            try store.subscriptions(of: registration.id, after: topic, limit: limit)
        }
    }

    /// Each topic counts as a change.
    /// - Returns: Out of how many topics it went.
    @discardableResult
    public func leaveAll(_ registration: Registration) async throws(TopicError) -> Int {
        let topics = try subscriptions(of: registration, limit: TopicLimits.topicsPerRegistration)
        try quota?.charge(registration.project, changes: topics.count)
        do {
            return try await store.leaveAllTopics(registration.id)
        } catch {
            throw .unavailable
        }
    }

    // MARK: Steps

    private func change(
        _ tokens: [String], in project: ProjectNumber,
        _ work: ([RegistrationID]) async throws(StoreError) -> [TopicChange]
    ) async throws(TopicError) -> [Result<Bool, TopicError>] {
        try quota?.charge(project, changes: tokens.count)
        let found = tokens.map { token in
            Result { () throws(TopicError) in try registration(token: token, in: project).id }
        }
        let ids = found.compactMap { try? $0.get() }
        var changes: ArraySlice<TopicChange> = []
        do {
            if !ids.isEmpty { changes = try await work(ids)[...] }
        } catch {
            throw .unavailable
        }
        return found.map { result in
            result.flatMap { _ in Result { () throws(TopicError) in try Self.read(changes.popFirst()) } }
        }
    }

    private func change(
        in project: ProjectNumber, _ work: () async throws(StoreError) -> [TopicChange]
    ) async throws(TopicError) -> Bool {
        try quota?.charge(project)
        let changes: [TopicChange]
        do {
            changes = try await work()
        } catch {
            throw .unavailable
        }
        return try Self.read(changes.first)
    }

    private static func read(_ change: TopicChange?) throws(TopicError) -> Bool {
        switch change {
        case .done: true
        case .unchanged: false
        case .unknownRegistration: throw .unknownRegistration
        case .tooManyTopics: throw .tooManyTopics
        case nil: throw .unavailable
        }
    }

    private func stored<Value>(_ body: () throws(StoreError) -> Value) throws(TopicError) -> Value {
        do {
            return try body()
        } catch {
            throw .unavailable
        }
    }
}

extension TopicError {
    init(_ error: SendError) {
        self =
            switch error.kind {
            case .malformedToken: .malformedToken
            case .senderIDMismatch: .senderIDMismatch
            case .unavailable: .unavailable
            default: .unknownRegistration
            }
    }
}
