import PushModel
import Synchronization

extension Dispatcher {
    /// Deliveries that the gateway gets at a time: enough for full TLS records, few enough to make nobody wait.
    private static let deliveriesTogether = 64
    private static let pauseAfterStoreErrorMilliseconds: Int64 = 1_000

    /// Reads waiting deliveries from the store when there is room for them, off the caller's thread.
    func sweepIfRoom() {
        guard state.withLock({ $0.beginSweep(configuration) }) else { return }
        // One sweep at a time; it ends by itself when memory is full or the store is empty.
        Task { sweep() }
    }

    private func sweep() {
        while let bounds = nextBounds() {
            do throws(StoreError) {
                try takePage(from: bounds.first, upTo: bounds.last)
            } catch {
                return scheduler.after(milliseconds: Self.pauseAfterStoreErrorMilliseconds) { [self] in
                    state.withLock { $0.isSweeping = false }
                    sweepIfRoom()
                }
            }
        }
    }

    private func nextBounds() -> (first: DeliveryID, last: DeliveryID)? {
        state.withLock { state in
            guard state.wantsSweep(configuration), let first = state.leftInStore.first,
                let last = state.leftInStore.last
            else {
                state.isSweeping = false
                return nil
            }
            return (first, last)
        }
    }

    private func takePage(from first: DeliveryID, upTo last: DeliveryID) throws(StoreError) {
        let limit = configuration.deliveriesPerPage
        let page = try store.pendingDeliveries(after: DeliveryID(value: first.value - 1), limit: limit)
        let taken = state.withLock { $0.take(page, isLastPage: page.count < limit, upTo: last) }
        var rendered: (message: MessageID, template: ApplePushTemplate?)?
        for start in stride(from: 0, to: taken.count, by: Self.deliveriesTogether) {
            gateway.sendingTogether {
                for delivery in taken[start..<min(start + Self.deliveriesTogether, taken.count)] {
                    if rendered?.message != delivery.message.id {
                        rendered = (delivery.message.id, try? translator.template(of: delivery.message))
                    }
                    self.start(DeliveryAttempt(delivery, template: rendered?.template))
                }
            }
        }
    }
}
