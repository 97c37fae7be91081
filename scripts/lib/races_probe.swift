// Shows that the thread sanitizer, as scripts/races runs it, takes no lock for a race, and a race for one.
import Dispatch
import Synchronization

final class Count: @unchecked Sendable { var value = 0 }

let guarded = Mutex(0)
let unguarded = Count()
let races = CommandLine.arguments.contains("--race")
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 {
        guarded.withLock { $0 += 1 }
        if races { unguarded.value += 1 }
    }
}
precondition(guarded.withLock { $0 } == 160_000)
