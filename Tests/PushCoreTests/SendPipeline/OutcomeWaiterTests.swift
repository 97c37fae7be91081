import PushModel
import Testing

@testable import PushCore

@Suite struct `Outcome waiter` {
    static let busy = SendError(.deviceQuotaExceeded, "The device receives too many messages.")
    static let down = SendError(.unavailable, "The service is currently unavailable.")

    @Test func `gives a delivery up when its sender is told that the device gets too much`() async {
        let waiter = OutcomeWaiter()
        #expect(waiter.hear(.waiting(Self.busy)) == .giveUp)
        #expect(await waiter.value() == .failed(Self.busy))
    }

    @Test func `keeps trying when the sender has gone before`() async {
        let waiter = OutcomeWaiter()
        waiter.settle(nil)
        #expect(waiter.hear(.waiting(Self.busy)) == .keepTrying)
        #expect(await waiter.value() == nil)
    }

    @Test(arguments: [FirstOutcome.waiting(nil), .waiting(down)])
    func `answers at once when the delivery waits for a later try`(outcome: FirstOutcome) async {
        let waiter = OutcomeWaiter()
        #expect(waiter.hear(outcome) == .keepTrying)
        #expect(await waiter.value() == nil)
    }

    @Test func `tells the first outcome only`() async {
        let waiter = OutcomeWaiter()
        #expect(waiter.settle(.expired))
        #expect(!waiter.settle(.accepted(providerID: "a")))
        #expect(await waiter.value() == .expired)
    }
}
