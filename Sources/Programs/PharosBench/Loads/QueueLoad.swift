import Glibc
import JSON
import PushCore
import PushModel
import SQLiteStore

extension BenchLoad {
    /// Accepts messages for the devices of a data directory, then ends itself as a power cut would.
    static let queue = BenchLoad(
        name: "queue",
        summary: "accepts messages, prints how fast, then kills itself. --data-dir DIR --deliveries N --devices N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let count = try arguments.count("deliveries", default: 100_000)
        let devices = try await world.register(try arguments.count("devices", default: 1000), kind: .classic)
        guard !devices.isEmpty else { throw BenchFailure.usage("--devices must be at least 1.") }
        let watch = Stopwatch()
        var next = 0
        while next < count {
            let end = min(count, next + 1000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in next..<end {
                    let device = devices[number % devices.count]
                    group.addTask {
                        _ = try await world.store.accept(
                            world.message(Int64(number), to: device), recipients: [device.id])
                    }
                }
                try await group.waitForAll()
            }
            next = end
        }
        var result = watch.report(count)
        result["apns_tokens"] = .array(devices.compactMap { $0.apnsToken.map { .string($0) } })
        print(String(decoding: result.encoded, as: UTF8.self))
        fflush(nil)
        kill(getpid(), SIGKILL)
        return result
    }
}
