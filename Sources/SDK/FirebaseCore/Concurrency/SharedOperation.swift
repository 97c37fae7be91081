package import FirebasePlatform
import Synchronization

/// One running piece of work for all who ask for it at the same time. Who asks later starts a new one.
package final class SharedOperation<Value: Sendable>: Sendable {
    private let executors: Executors
    private let running = Mutex<Task<Value, Never>?>(nil)

    package init(on executors: Executors) {
        self.executors = executors
    }

    package func run(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = running.withLock { running in
            if let running { return running }
            let task = Task(executorPreference: executors.background) { [self] in
                let value = await work()
                finish()
                return value
            }
            running = task
            return task
        }
        return await task.value
    }

    package func close() {
        running.withLock { $0 }?.cancel()
    }

    private func finish() {
        running.withLock { $0 = nil }
    }
}
