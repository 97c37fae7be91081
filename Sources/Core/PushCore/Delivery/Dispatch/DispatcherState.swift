import PushModel
import Timekeeping

/// Everything that a dispatcher remembers. Guarded by its lock; decides, and leaves acting to the dispatcher.
struct DispatcherState: Sendable {
    /// Deliveries of one device that wait because it had too many.
    struct DeviceHold: Sendable {
        var waiting: [DeliveryAttempt] = []
        var failures = 0
        var isScheduled = false
    }

    /// A delivery that waits in the store for its app's APNs token.
    struct Parked: Sendable {
        var id: DeliveryID
        var expiresAt: Timestamp
    }

    /// Deliveries in memory: being tried, delayed or held.
    private(set) var inMemory = 0
    private(set) var inMemoryByProject: [ProjectNumber: Int] = [:]
    /// Deliveries being tried right now.
    var active = 0
    /// Deliveries that wait in the store for room in memory.
    var leftInStore = DeliveryIDRanges()
    var isSweeping = false
    var delayed: [DeliveryID: DeliveryAttempt] = [:]
    var held: [RegistrationID: DeviceHold] = [:]
    var parked: [RegistrationID: [Parked]] = [:]
    var isParkedCheckScheduled = false
    var isStopping = false
    var drainWaiters: [CheckedContinuation<Void, Never>] = []

    /// Takes a new delivery into memory, or leaves it in the store when its project or all together have too many.
    mutating func admit(_ delivery: QueuedDelivery, _ configuration: DispatcherConfiguration) -> Bool {
        let project = delivery.message.project.number
        guard !isStopping, inMemory < configuration.deliveriesInMemory,
            inMemoryByProject[project, default: 0] < configuration.deliveriesInMemoryPerProject
        else {
            leftInStore.insert(delivery.id)
            return false
        }
        enter(project)
        return true
    }

    /// Counts a delivery that starts its first try.
    mutating func enter(_ project: ProjectNumber) {
        inMemory += 1
        inMemoryByProject[project, default: 0] += 1
        active += 1
    }

    /// Counts a delivery that leaves memory, with an outcome or without.
    mutating func leave(_ project: ProjectNumber) {
        inMemory -= 1
        active -= 1
        let count = inMemoryByProject[project, default: 1] - 1
        inMemoryByProject[project] = count > 0 ? count : nil
    }

    /// Whether a sweep of the store should begin now; notes that it does.
    mutating func beginSweep(_ configuration: DispatcherConfiguration) -> Bool {
        guard !isSweeping, wantsSweep(configuration) else { return false }
        isSweeping = true
        return true
    }

    func wantsSweep(_ configuration: DispatcherConfiguration) -> Bool {
        !isStopping && !leftInStore.isEmpty && inMemory < configuration.deliveriesInMemory * 3 / 4
    }

    /// Takes those of a page that were left in the store.
    /// - Parameters:
    ///   - page: In ascending order.
    ///   - last: The largest id left in the store before the page was read.
    mutating func take(_ page: [QueuedDelivery], isLastPage: Bool, upTo last: DeliveryID) -> [QueuedDelivery] {
        let taken = page.filter { $0.id <= last && leftInStore.contains($0.id) }
        for delivery in taken { enter(delivery.message.project.number) }
        leftInStore.remove(through: isLastPage ? last : min(last, page.last?.id ?? last))
        return taken
    }

    /// Takes out what no longer may be tried.
    mutating func takeExpired(at now: Timestamp) -> [DeliveryAttempt] {
        func isExpired(_ attempt: DeliveryAttempt) -> Bool { attempt.expiresAt.map { $0 <= now } ?? false }
        var expired = delayed.values.filter(isExpired)
        for attempt in expired { delayed[attempt.delivery.id] = nil }
        for (device, hold) in held {
            let gone = hold.waiting.filter(isExpired)
            guard !gone.isEmpty else { continue }
            held[device]?.waiting.removeAll(where: isExpired)
            expired += gone
        }
        active += expired.count
        unpark { $0.expiresAt <= now }
        return expired
    }

    /// Lets parked deliveries be read from the store again.
    mutating func unpark(where isDue: (Parked) -> Bool) {
        for (device, deliveries) in parked {
            let due = deliveries.filter(isDue)
            guard !due.isEmpty else { continue }
            for delivery in due { leftInStore.insert(delivery.id) }
            let rest = deliveries.filter { !isDue($0) }
            parked[device] = rest.isEmpty ? nil : rest
        }
    }
}
