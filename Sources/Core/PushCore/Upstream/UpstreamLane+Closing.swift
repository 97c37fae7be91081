import PushModel
import Synchronization

/// Tells the store what is done.
extension UpstreamLane {
    func close(_ ids: [UpstreamID]) {
        // One run at a time; it ends by itself when nothing waits.
        if closings.withLock({ $0.add(ids) }) { Task { await closeAll() } }
    }

    /// Returns when everything that is done by now is closed in the store, or the store fails.
    func drain() async {
        await withCheckedContinuation { continuation in
            if !closings.withLock({ $0.wait(continuation) }) { continuation.resume() }
        }
    }

    private func closeAll() async {
        while true {
            let batch = closings.withLock { $0.next() }
            guard !batch.isEmpty else { return }
            do {
                try await store.closeUpstream(batch)
                noteClosed(batch)
                for waiter in closings.withLock({ $0.finish(batch.count) }) { waiter.resume() }
            } catch {
                return retry(batch)
            }
        }
    }

    private func retry(_ batch: [UpstreamID]) {
        let waiters = closings.withLock { $0.putBack(batch) }
        delays.after(milliseconds: configuration.pauseMilliseconds) { [weak self] in
            guard let self else { return }
            closings.withLock { $0.endPause() }
            Task { await self.closeAll() }
        }
        for waiter in waiters { waiter.resume() }
    }
}
