import Glibc

/// Runs code that blocks on a thread of its own, outside of the pool that all tests share.
public enum BlockingThread {
    public static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = Unmanaged.passRetained(Job { continuation.resume(with: Swift.Result(catching: body)) })
            var handle = pthread_t()
            let code = pthread_create(&handle, nil, runJob, job.toOpaque())
            guard code != 0 else {
                pthread_detach(handle)
                return
            }
            job.release()
            continuation.resume(throwing: RawClient.Failure.threadUnavailable)
        }
    }

    fileprivate final class Job {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }
}

private func runJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<BlockingThread.Job>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
