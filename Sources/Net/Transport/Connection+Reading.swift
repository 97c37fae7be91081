import CLinux
import EventLoop
import Glibc

extension Connection {
    /// Reads between two looks at the other connections of the loop.
    private static let readsPerTurn = 16

    /// Hands everything that has arrived to the handler. Never called from within a handler's call.
    func readAvailable() {
        for _ in 0..<Self.readsPerTurn {
            guard isOpen, !isReadingPaused, !hasInputEnded else { return }
            switch receive(into: loop.scratch) {
            case .bytes(let count):
                lastActivity = loop.batchTime
                handler?.received(UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]), on: self)
                if isDrained(afterReading: count) { return }
            case .blocked: return
            case .end(let truncated): return endInput(truncated: truncated)
            case .failed(let reason): return terminate(writeFailure ?? reason)
            }
        }
        scheduleRead()
    }

    /// A short read of a socket empties it: what comes later is a new report.
    private func isDrained(afterReading count: Int) -> Bool {
        guard !sawPeerClose else { return false }
        return engine?.holdsAllInput ?? (count < loop.scratch.count)
    }

    private func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelRead {
        if let engine { return engine.read(into: buffer) }
        let count = pharos_receive(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end(truncated: false) }
        return count == -Int(EAGAIN) ? .blocked : .failed(.reset(code: Int32(clamping: -count)))
    }

    private func endInput(truncated: Bool) {
        hasInputEnded = true
        if let writeFailure { return terminate(writeFailure) }
        handler?.inputEnded(on: self, truncated: truncated)
    }

    /// Reads soon, outside of the running call.
    func scheduleRead() {
        guard !isReadScheduled else { return }
        isReadScheduled = true
        loop.executeLater { [self] in
            isReadScheduled = false
            if isOpen { readAvailable() }
        }
    }

    /// Drops what a closing connection still sends.
    func discardInput() {
        for _ in 0..<Self.readsPerTurn {
            let count = pharos_receive(descriptor, loop.scratch.baseAddress, loop.scratch.count)
            if count > 0 { continue }
            if count == -Int(EAGAIN) { return }
            return terminate(.closedLocally)
        }
        loop.executeLater { [self] in
            if case .lingering = state { discardInput() }
        }
    }
}
