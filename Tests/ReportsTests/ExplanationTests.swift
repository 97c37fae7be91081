import PushCore
import PushModel
import Testing
import Timekeeping

@testable import Reports

@Suite struct `Explanations` {
    static let now = Timestamp(seconds: 1_700_000_000)

    @Test(arguments: FailureReason.allCases) func `say for every reason what happened and what to do`(
        reason: FailureReason
    ) throws {
        let delivery = InspectedDelivery(id: DeliveryID(value: 1), registration: nil, state: .failed(reason))
        let explanation = try #require(delivery.explanation(now: Self.now))
        #expect(explanation.text.hasSuffix(".") && explanation.nextStep.hasSuffix("."))
        #expect(explanation.text.count > 20 && explanation.nextStep.count > 10)
    }

    @Test func `differ from reason to reason`() {
        #expect(Set(FailureReason.allCases.map(\.explanation.text)).count == FailureReason.allCases.count)
        #expect(Set(APNsReason.all.map(\.explanation.text)).count == APNsReason.all.count)
    }

    @Test func `prefer what APNs said`() throws {
        let delivery = InspectedDelivery(
            id: DeliveryID(value: 1), registration: nil, state: .failed(.unregistered), detail: "Unregistered")
        #expect(delivery.explanation(now: Self.now) == APNsReason.known("Unregistered")?.explanation)
        #expect(APNsReason.known("Unregistered")?.status == 410)
        #expect(APNsReason.known("NoSuchReason") == nil)
    }

    @Test func `tell of tries while a delivery waits`() throws {
        var delivery = InspectedDelivery(id: DeliveryID(value: 1), registration: nil, state: .waiting)
        #expect(delivery.explanation(now: Self.now)?.text == "It is on its way.")
        delivery.tries = [
            DeliveryTry(
                delivery: delivery.id, project: ProjectNumber(value: 1), time: Self.now, status: 503,
                reason: "ServiceUnavailable")
        ]
        let explanation = try #require(delivery.explanation(now: Self.now))
        #expect(explanation.text.contains("503 ServiceUnavailable"))
        delivery.state = .inInbox
        #expect(delivery.explanation(now: Self.now)?.text.contains("inbox") == true)
    }

    @Test func `are not needed when the device took it on its channel`() {
        let delivery = InspectedDelivery(id: DeliveryID(value: 1), registration: nil, state: .accepted)
        #expect(delivery.explanation(now: Self.now) == nil)
    }
}
