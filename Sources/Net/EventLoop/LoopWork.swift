/// Something for a loop to run: a job of Swift's concurrency runtime or a closure.
///
/// `@unchecked Sendable`: what crosses threads comes in through `execute`, which takes `@Sendable` closures only.
enum LoopWork: @unchecked Sendable {
    case job(UnownedJob)
    case action(() -> Void)
}

/// Work that other threads handed to a loop.
struct LoopInbox: Sendable {
    var work: [LoopWork] = []
    /// Whether the loop was already told that something is here.
    var isSignalled = false
    var isClosed = false
}
