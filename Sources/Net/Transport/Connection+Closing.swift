import CLinux
import EventLoop
import Glibc

extension Connection {
    /// Sends what waits, says goodbye, and ends when the peer has ended too or the linger limit has passed.
    public func close() {
        switch state {
        case .open:
            state = .flushing
            if outgoing.isEmpty { finishOutput() }
        case .flushing, .lingering, .closed: break
        case .connecting, .awaitingFirstByte, .handshaking: terminate(.closedLocally)
        }
    }

    /// Ends at once; what waits is lost.
    public func abort() {
        terminate(.closedLocally)
    }

    /// Ends at once with a TCP reset: for simulating faults.
    public func reset() {
        if descriptor >= 0 { pharos_reset_on_close(descriptor) }
        terminate(.closedLocally)
    }

    /// All is sent. A reset, which a plain close may cause, could overtake it; so the peer's end is waited for.
    func finishOutput() {
        engine?.close()
        guard !hasInputEnded, writeFailure == nil, pharos_shutdown_writing(descriptor) == 0 else {
            return terminate(writeFailure ?? .closedLocally)
        }
        state = .lingering
        deadlineTimer = loop.schedule(after: limits.lingerLimit) { [unowned self] in terminate(.closedLocally) }
        // What the kernel holds already makes no new report.
        loop.executeLater { [self] in
            if case .lingering = state { discardInput() }
        }
    }

    /// Ends the connection and reports that, once, outside of the running call.
    func terminate(_ reason: CloseReason) {
        if case .closed = state { return }
        state = .closed
        connector?.cancel()
        connector = nil
        releaseDescriptor()
        engine = nil
        outgoing.removeAll()
        for timer in [deadlineTimer, idleTimer, stallTimer] { timer?.cancel() }
        acceptance?.connectionEnded(self, reason: reason)
        acceptance = nil
        loop.executeLater { [self] in
            let last = handler
            handler = nil
            last?.closed(self, reason: reason)
        }
    }

    func releaseDescriptor() {
        guard descriptor >= 0 else { return }
        loop.deregister(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
    }

    func armIdleTimer() {
        idleTimer?.cancel()
        idleTimer = nil
        guard let idleLimit, isOpen else { return }
        let remaining = idleLimit - loop.batchTime.since(lastActivity)
        idleTimer = loop.schedule(after: max(.zero, remaining)) { [unowned self] in
            loop.batchTime.since(lastActivity) >= idleLimit ? terminate(.idle) : armIdleTimer()
        }
    }
}
