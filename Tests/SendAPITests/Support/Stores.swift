import PushCore
import PushModel
import Synchronization
import Timekeeping

/// Registrations in a list. Knows what a send asks for; everything else is a fault of the test.
final class ListedRegistrations: RegistrationStore {
    private let list = Mutex<[Registration]>([])
    private let isDown = Mutex(false)

    func add(_ registration: Registration) {
        list.withLock { $0.append(registration) }
    }

    func breakDown() {
        isDown.withLock { $0 = true }
    }

    func registration(_ id: RegistrationID) throws(StoreError) -> Registration? {
        if isDown.withLock({ $0 }) { throw .unavailable("down") }
        return list.withLock { $0.first { $0.id == id } }
    }

    func registration(fid: String, in project: ProjectNumber) throws(StoreError) -> Registration? {
        list.withLock { $0.first { $0.fid == fid && $0.project == project && $0.ending == nil } }
    }

    func hasKnown(fid: String, in project: ProjectNumber) throws(StoreError) -> Bool {
        list.withLock { $0.contains { $0.fid == fid && $0.project == project } }
    }

    func installation(_ fid: FirebaseInstallationID, in project: ProjectNumber) throws(StoreError) -> Installation? {
        throw .unexpected
    }

    func addDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) { throw .unexpected }
    func confirmDevice(_ device: DeviceCredentials, at time: Timestamp) async throws(StoreError) -> Bool {
        throw .unexpected
    }
    func isDevice(_ device: DeviceCredentials) throws(StoreError) -> Bool { throw .unexpected }
    func knowsDevice(androidID: UInt64) throws(StoreError) -> Bool { throw .unexpected }
    func putInstallation(_ installation: Installation) async throws(StoreError) { throw .unexpected }
    func deleteInstallation(
        _ fid: FirebaseInstallationID, in project: ProjectNumber, at time: Timestamp
    ) async throws(StoreError) -> Bool { throw .unexpected }
    func register(_ draft: RegistrationDraft) async throws(StoreError) -> Registration { throw .unexpected }
    func end(_ id: RegistrationID, _ ending: Registration.Ending, at time: Timestamp) async throws(StoreError) {
        throw .unexpected
    }
    func endUnregistered(
        _ id: RegistrationID, address: APNsAddress, invalidAt: Timestamp?, at time: Timestamp
    ) async throws(StoreError) -> Bool { throw .unexpected }
    func setEnvironment(_ environment: APNsEnvironment, of id: RegistrationID) async throws(StoreError) {
        throw .unexpected
    }
    func endRegistrations(_ filter: RegistrationFilter, at time: Timestamp) async throws(StoreError) -> Int {
        throw .unexpected
    }
}

extension StoreError {
    fileprivate static let unexpected = StoreError.unavailable("a send does not ask for this")
}

/// Accepted messages in a list.
final class ListedDeliveries: DeliveryStore {
    struct Accepted: Sendable {
        var message: ValidatedMessage
        var recipients: [RegistrationID]
    }

    private let list = Mutex<[Accepted]>([])
    private let isFull = Mutex(false)

    var accepted: [Accepted] { list.withLock { $0 } }

    func fill() {
        isFull.withLock { $0 = true }
    }

    func accept(
        _ message: ValidatedMessage, deliveries: [PlannedDelivery]
    ) async throws(StoreError) -> Acceptance {
        if isFull.withLock({ $0 }) { throw .unavailable("full") }
        let count = list.withLock { list in
            list.append(Accepted(message: message, recipients: deliveries.map(\.registration)))
            return list.count
        }
        return Acceptance(
            deliveries: deliveries.indices.map { AcceptedDelivery(id: DeliveryID(value: Int64(count * 1000 + $0))) })
    }

    func finish(_ outcomes: [FinishedDelivery]) {}
    func pendingDeliveries(after id: DeliveryID, limit: Int) throws(StoreError) -> [QueuedDelivery] { [] }
    func pendingCount() throws(StoreError) -> Int { 0 }
    func largestMessageID() throws(StoreError) -> MessageID { MessageID(value: 0) }
}

/// Messages to topics and conditions in a list.
final class ListedFanOuts: FanOutSubmission {
    private let list = Mutex<[ValidatedMessage]>([])
    private let isFull = Mutex(false)

    var accepted: [ValidatedMessage] { list.withLock { $0 } }

    func fill() {
        isFull.withLock { $0 = true }
    }

    func submit(_ message: ValidatedMessage) async throws(StoreError) {
        if isFull.withLock({ $0 }) { throw .unavailable("full") }
        list.withLock { $0.append(message) }
    }
}
