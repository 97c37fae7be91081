import APNsSimulator
import Bytes
import DeviceSimulator
import EventLoop
import Synchronization

/// A virtual iPhone's line to the APNs simulator of the same process.
final class SimulatorLink: APNsLink {
    /// The simulator gave out something that is no device token.
    struct MalformedToken: Error {}

    private let device: SimulatedDevice
    private let loop: EventLoop
    private let reader = Mutex<Task<Void, Never>?>(nil)

    init(device: SimulatedDevice, loop: EventLoop) {
        self.device = device
        self.loop = loop
    }

    func register(bundleID: String, sandbox: Bool) async throws -> [UInt8] {
        let hex = device.register(bundleID: bundleID, environment: sandbox ? .sandbox : .production)
        guard let token = Hex.decode(hex) else { throw MalformedToken() }
        return token
    }

    func uninstall(bundleID: String) async { device.uninstall(bundleID: bundleID) }

    func setOnline(_ isOnline: Bool) async { device.setOnline(isOnline) }

    func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void) {
        let pushes = device.pushes()
        let task = Task(executorPreference: loop) {
            for await delivered in pushes { handler(ArrivingPush(delivered)) }
        }
        reader.withLock { $0 = task }
    }

    func close() async {
        reader.withLock { $0.take() }?.cancel()
        device.remove()
    }
}

extension ArrivingPush {
    fileprivate init(_ delivered: DeliveredPush) {
        let push = delivered.push
        self.init(
            bundleID: delivered.bundleID, pushType: push.type.rawValue, collapseID: push.collapseID, apnsID: push.id,
            payload: push.payload, deliveredAt: delivered.deliveredAt)
    }
}
