import EventLoop
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension BenchLoad {
    /// What the store does for a send: a look-up, an acceptance that is durable, an outcome.
    static let store = BenchLoad(
        name: "store",
        summary: "durable acceptances and outcomes, look-ups. --data-dir DIR --devices N --operations N --at-once N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let registering = Stopwatch()
        let devices = try await world.register(try arguments.count("devices", default: 10_000), kind: .classic)
        let registered = registering.report(devices.count)
        guard !devices.isEmpty else { throw BenchFailure.usage("--devices must be at least 1.") }
        let operations = try arguments.count("operations", default: 200_000)
        let load = DeliveryLoad(world: world, devices: devices)
        let result: JSONObject = [
            "register": .object(registered),
            "look_up": .object(try load.lookUp(operations)),
            "accept_and_finish": .object(
                try await load.acceptAndFinish(operations, atOnce: try arguments.count("at-once", default: 64))),
        ]
        world.store.close()
        return result
    }
}

private struct DeliveryLoad: Sendable {
    let world: BenchWorld
    let devices: [Registration]

    func lookUp(_ count: Int) throws -> JSONObject {
        let watch = Stopwatch()
        for number in 0..<count {
            let id = devices[number &* 7919 % devices.count].id
            guard try world.store.registration(id) != nil else { throw BenchFailure.failed("A device is lost.") }
        }
        return watch.report(count)
    }

    /// Each of `atOnce` callers accepts one message after the other, on two event loops as in the service.
    func acceptAndFinish(_ count: Int, atOnce: Int) async throws -> JSONObject {
        let loops = try EventLoopGroup(count: 2)
        let watch = Stopwatch()
        let callers = (0..<max(1, atOnce)).map { caller in
            Task(executorPreference: loops.next()) {
                for number in stride(from: caller, to: count, by: max(1, atOnce)) { try await deliver(number) }
            }
        }
        for caller in callers { try await caller.value }
        let result = watch.report(count)
        loops.shutDown()
        return result
    }

    private func deliver(_ number: Int) async throws {
        let device = devices[number % devices.count]
        let message = world.message(Int64(number), to: device)
        let dimensions = ReportDimensions(message.message, to: device)
        let acceptance = try await world.store.accept(
            message, deliveries: [PlannedDelivery(registration: device.id, dimensions: dimensions)])
        world.store.finish(
            acceptance.deliveries.map {
                FinishedDelivery(
                    id: $0.id, message: message.id, project: world.project.number, registration: device.id,
                    outcome: .accepted(providerID: "eabeae54-14a8-41e5-b60b-1697f925ec7b"), time: world.clock.now(),
                    dimensions: dimensions)
            })
    }
}
