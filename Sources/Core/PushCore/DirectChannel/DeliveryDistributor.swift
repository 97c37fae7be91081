public import PushModel
import Timekeeping

/// Takes stored deliveries on their way: those for a connected device to its connection, those for a gateway to the
/// dispatcher. What waits in the inbox of a device that is away needs nothing more.
public struct DeliveryDistributor: DeliverySubmission {
    private let gateways: any DeliverySubmission
    private let live: LiveDevices
    private let inboxes: DeviceInboxes

    public init(gateways: any DeliverySubmission, live: LiveDevices, inboxes: DeviceInboxes) {
        self.gateways = gateways
        self.live = live
        self.inboxes = inboxes
    }

    public func submit(_ deliveries: [QueuedDelivery], firstOutcome observer: FirstOutcomeObserver?) {
        submit(deliveries, rendered: nil, firstOutcome: observer)
    }

    public func submit(
        _ deliveries: [QueuedDelivery], rendered template: ApplePushTemplate?,
        firstOutcome observer: FirstOutcomeObserver?
    ) {
        guard deliveries.contains(where: { $0.inbox != nil }) else {
            return gateways.submit(deliveries, rendered: template, firstOutcome: observer)
        }
        let others = deliveries.filter { $0.inbox == nil }
        if !others.isEmpty { gateways.submit(others, rendered: template, firstOutcome: observer) }
        for delivery in deliveries {
            guard let position = delivery.inbox else { continue }
            ring(delivery, of: position.device)
            _ = observer?(delivery, .waiting(nil))
        }
    }

    private func ring(_ delivery: QueuedDelivery, of device: UInt64) {
        if let session = live.session(of: device) { return session.ring(delivery) }
        if case .apple(_?) = delivery.recipient.channel { return inboxes.returnToGateway(from: device) }
        let lifetime = delivery.message.deviceLifetimeSeconds(for: delivery.recipient.channel)
        if lifetime == 0 { inboxes.end(delivery, .expired, of: device) }
    }

    public func hasRoomForFanOut(of project: ProjectNumber) -> Bool {
        gateways.hasRoomForFanOut(of: project)
    }
}
