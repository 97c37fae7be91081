import PushCore
import PushModel
import Synchronization
import Timekeeping

/// Notes what was accepted for whom.
final class NotedDeliveries: DeliveryStore {
    struct Accepted: Sendable {
        var message: ValidatedMessage
        var planned: [PlannedDelivery]

        var recipients: [RegistrationID] { planned.map(\.registration) }
    }

    private struct State {
        var accepted: [Accepted] = []
        var last: Int64 = 0
        var failures = 0
    }

    private let state = Mutex(State())

    var accepted: [Accepted] { state.withLock(\.accepted) }
    func fail(_ times: Int) { state.withLock { $0.failures = times } }

    func accept(
        _ message: ValidatedMessage, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance {
        await Task.yield()
        return try state.withLock { (state) throws(StoreError) in
            guard state.failures == 0 else {
                state.failures -= 1
                throw .unavailable("broken on purpose")
            }
            state.accepted.append(Accepted(message: message, planned: deliveries))
            return Acceptance(
                deliveries: deliveries.map { _ in
                    state.last += 1
                    return AcceptedDelivery(id: DeliveryID(value: state.last))
                })
        }
    }

    func finish(_ outcomes: [FinishedDelivery]) {}
    func pendingDeliveries(after id: DeliveryID, limit: Int) throws(StoreError) -> [QueuedDelivery] { [] }
    func pendingCount() throws(StoreError) -> Int { 0 }
    func largestMessageID() throws(StoreError) -> MessageID { MessageID(value: 0) }
}

struct NoFanOuts: FanOutSubmission {
    func submit(_ message: ValidatedMessage) async throws(StoreError) {}
}

/// The group with number 1 has the registration with number 1.
struct OneGroup: DeviceGroupStore {
    func createGroup(
        named name: String, members: [RegistrationID], in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.tooManyMembers) }

    func addMembers(
        _ members: [RegistrationID], to group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.notFound) }

    func removeMembers(
        _ members: [RegistrationID], from group: DeviceGroupID, named name: String?, in project: ProjectNumber
    ) async throws(StoreError) -> Result<DeviceGroup, DeviceGroupError> { .failure(.notFound) }

    func group(_ id: DeviceGroupID) throws(StoreError) -> DeviceGroup? {
        guard id.value == 1 else { return nil }
        return DeviceGroup(
            id: id, project: RegistryWorld.project.number, name: "one", members: [RegistrationID(value: 1)],
            createdAt: Sample.acceptedAt)
    }

    func group(named name: String, in project: ProjectNumber) throws(StoreError) -> DeviceGroup? { nil }

    func groups(in project: ProjectNumber, after name: String?, limit: Int) throws(StoreError) -> [DeviceGroup] { [] }
}
