import PushModel
import Testing

@testable import PushCore

@Suite struct `Waiting for several outcomes` {
    static let busy = SendError(.deviceQuotaExceeded, "The device receives too many messages.")
    static let gone = SendError(.unregistered, "gone")

    private static func delivery(_ id: Int64) -> QueuedDelivery {
        QueuedDelivery(
            id: DeliveryID(value: id), message: Sample.message(Message()), recipient: Sample.registration(id))
    }

    @Test func `tells the failures when all are known`() async {
        let waiter = OutcomesWaiter(count: 3)
        #expect(waiter.hear(Self.delivery(1), .finished(.accepted(providerID: ""))) == .keepTrying)
        #expect(waiter.hear(Self.delivery(2), .finished(.failed(Self.gone))) == .keepTrying)
        async let failures = waiter.failures()
        #expect(waiter.hear(Self.delivery(3), .waiting(Self.busy)) == .giveUp)
        #expect(await failures == [RegistrationID(value: 2): Self.gone, RegistrationID(value: 3): Self.busy])
    }

    @Test func `tells what is known when patience ends`() async {
        let waiter = OutcomesWaiter(count: 2)
        _ = waiter.hear(Self.delivery(1), .finished(.failed(Self.gone)))
        waiter.giveUp()
        #expect(await waiter.failures() == [RegistrationID(value: 1): Self.gone])
        #expect(waiter.hear(Self.delivery(2), .waiting(Self.busy)) == .keepTrying)
    }

    @Test func `what waits without an error is on its way`() async {
        let waiter = OutcomesWaiter(count: 2)
        _ = waiter.hear(Self.delivery(1), .waiting(nil))
        _ = waiter.hear(Self.delivery(2), .finished(.expired))
        #expect(await waiter.failures().isEmpty)
    }
}
