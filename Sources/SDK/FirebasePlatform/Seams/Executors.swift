/// Where things run.
public struct Executors: Sendable {
    /// Every callback into the app: completions, delegate methods, notifications.
    public var main: any MainExecutor
    /// The SDK's own tasks. They never block.
    public var background: any TaskExecutor

    public init(main: any MainExecutor, background: any TaskExecutor) {
        self.main = main
        self.background = background
    }
}

/// The app's main thread, or what stands for it. Runs work one piece at a time, in the order it was handed over.
public protocol MainExecutor: Sendable {
    /// Whether the caller already runs on it.
    var isCurrent: Bool { get }
    func enqueue(_ work: @escaping @Sendable () -> Void)
}

extension Executors {
    /// Starts a task of the SDK.
    @discardableResult
    public func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: background) { await work() }
    }
}
