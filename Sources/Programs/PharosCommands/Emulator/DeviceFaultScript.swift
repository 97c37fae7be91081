import DeviceChannel
import EventLoop
import Synchronization

/// Failures of logins on the device channel that a test asked for: the emulator's door `mcs`.
final class DeviceFaultScript: Sendable {
    /// One order: the next `remaining` logins of the device end so.
    struct Order: Sendable {
        /// The device's check-in id; `nil` for every device.
        var device: UInt64?
        var delayMilliseconds: Int64
        /// `nil` only delays.
        var fault: DeviceServices.LoginFault?
        var remaining: Int
    }

    private let orders = Mutex<[Order]>([])
    private let loop: EventLoop

    /// - Parameter loop: Where delays are waited for.
    init(loop: EventLoop) {
        self.loop = loop
    }

    func add(_ order: Order) { orders.withLock { $0.append(order) } }

    func reset() { orders.withLock { $0 = [] } }

    func nextFault(of device: UInt64) async -> DeviceServices.LoginFault? {
        guard let order = take(device) else { return nil }
        if order.delayMilliseconds > 0 { await wait(order.delayMilliseconds) }
        return order.fault
    }

    private func take(_ device: UInt64) -> Order? {
        orders.withLock { orders in
            guard let index = orders.firstIndex(where: { $0.device == nil || $0.device == device }) else { return nil }
            orders[index].remaining -= 1
            let order = orders[index]
            if order.remaining <= 0 { orders.remove(at: index) }
            return order
        }
    }

    private func wait(_ milliseconds: Int64) async {
        await withCheckedContinuation { continuation in
            let isRunning = loop.execute { [loop] in
                loop.schedule(after: .milliseconds(milliseconds)) { continuation.resume() }
            }
            if !isRunning { continuation.resume() }
        }
    }
}
