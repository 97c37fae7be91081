import CLinux
import EventLoop
import Glibc

extension Connection {
    /// Sends the bytes, or keeps what the kernel does not take now. Dropped when the connection is not open.
    public func write(_ bytes: UnsafeRawBufferPointer) {
        guard isOpen, writeFailure == nil, !bytes.isEmpty else { return }
        lastActivity = loop.batchTime
        let sent = outgoing.isEmpty ? transmit(bytes) : 0
        guard sent < bytes.count, writeFailure == nil else { return }
        outgoing.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        if outgoing.count > limits.highWaterBytes { isAboveHighWater = true }
        armStallTimer()
    }

    public func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Sends what waits.
    func flush() {
        let sent = outgoing.withUnsent { transmit($0) }
        guard writeFailure == nil else { return }
        outgoing.consume(sent)
        if sent > 0 { lastProgress = loop.batchTime }
        if outgoing.isEmpty { stopStallTimer() }
        if outgoing.isEmpty, case .flushing = state { return finishOutput() }
        guard isAboveHighWater, outgoing.count <= limits.highWaterBytes / 2 else { return }
        isAboveHighWater = false
        handler?.becameWritable(self)
    }

    /// - Returns: How many of the bytes the kernel took.
    private func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
        var sent = 0
        while sent < bytes.count {
            switch send(UnsafeRawBufferPointer(rebasing: bytes[sent...])) {
            case .bytes(let count): sent += count
            case .blocked: return sent
            case .failed(let reason):
                failWriting(reason)
                return sent
            }
        }
        return sent
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        if let engine { return engine.write(bytes) }
        let count = pharos_send(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return .bytes(count) }
        return count == -Int(EAGAIN) ? .blocked : .failed(.reset(code: Int32(clamping: -count)))
    }

    /// The peer takes no more. What it sent before (an early answer, say) is still read before the connection ends.
    private func failWriting(_ reason: CloseReason) {
        writeFailure = reason
        outgoing.removeAll()
        loop.executeLater { [self] in
            if isOpen { readAvailable() }
            terminate(reason)
        }
    }

    private func armStallTimer() {
        guard stallTimer == nil else { return }
        lastProgress = loop.batchTime
        rearmStallTimer(after: limits.stallLimit)
    }

    private func rearmStallTimer(after delay: Duration) {
        stallTimer = loop.schedule(after: delay) { [unowned self] in
            let remaining = limits.stallLimit - loop.batchTime.since(lastProgress)
            if remaining <= .zero { return terminate(.stalled) }
            rearmStallTimer(after: remaining)
        }
    }

    private func stopStallTimer() {
        stallTimer?.cancel()
        stallTimer = nil
    }
}
