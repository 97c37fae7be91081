public import PushModel
public import Timekeeping

/// Takes what apps report of messages. Reports come without a proof, so they count only for app instances that the
/// project knows, and no instance may send many.
public struct ReportIntake: Sendable {
    /// What came of a batch.
    public struct Outcome: Sendable, Equatable {
        /// How many were not known before.
        public var fresh = 0
        /// Whether some were left out because their project or their app instance has reported too much lately; they may
        /// come again later.
        public var isLimited = false
    }

    /// Bytes of each text.
    public static let maximumTextBytes = 512
    /// A device's clock may be wrong, and reports wait for a network; but not longer than a message lives.
    static let longestDelayMilliseconds: Int64 = 28 * 86_400_000

    private let store: any ReportedEventStore & RegistrationStore
    private let directory: any ProjectDirectory
    private let clock: any WallClock
    private let observer: any DeliveryObserver
    private let rate: ProjectRate
    private let instanceRate: InstanceRate

    /// - Parameters:
    ///   - eventsPerMinute: Of one project.
    ///   - eventsPerInstance: Of one app instance, in ten minutes. One upload of everything that an instance keeps has to
    ///     fit in.
    public init(
        store: any ReportedEventStore & RegistrationStore, directory: any ProjectDirectory, clock: any WallClock,
        observer: any DeliveryObserver, eventsPerMinute: Int = 600_000, eventsPerInstance: Int = 2_000
    ) {
        self.store = store
        self.directory = directory
        self.clock = clock
        self.observer = observer
        rate = ProjectRate(eventsPerMinute, perMilliseconds: 60_000, clock: clock)
        instanceRate = InstanceRate(eventsPerInstance, perMilliseconds: 600_000, clock: clock)
    }

    /// Keeps the events that make sense; the others are passed over. Durable when it returns.
    @discardableResult
    public func take(_ events: [ReportedEvent]) async throws(StoreError) -> Outcome {
        let now = clock.now()
        var outcome = Outcome()
        var known: [ReportedEvent] = []
        for event in events where isSound(event) {
            // First what a single instance may do: it must not use up what its project may.
            guard instanceRate.take(event.instanceID, in: event.project), rate.take(1, of: event.project) else {
                outcome.isLimited = true
                continue
            }
            guard try store.hasKnown(fid: event.instanceID, in: event.project) else { continue }
            known.append(within(event, now: now))
        }
        guard !known.isEmpty else { return outcome }
        let fresh = try await store.keepReports(known, receivedAt: now)
        for event in fresh { observer.reported(event) }
        outcome.fresh = fresh.count
        return outcome
    }

    private func isSound(_ event: ReportedEvent) -> Bool {
        let texts = [
            event.messageID, event.instanceID, event.appName, event.topic ?? "", event.analyticsLabel ?? "",
            event.composerLabel ?? "",
        ]
        return !event.messageID.isEmpty && texts.allSatisfy { $0.utf8.count <= Self.maximumTextBytes }
            && FirebaseInstallationID(event.instanceID) != nil && directory.project(number: event.project) != nil
    }

    /// The event with a time that can be.
    private func within(_ event: ReportedEvent, now: Timestamp) -> ReportedEvent {
        var event = event
        let earliest = now.adding(milliseconds: -Self.longestDelayMilliseconds)
        event.occurredAt = min(max(event.occurredAt, earliest), now)
        return event
    }
}
