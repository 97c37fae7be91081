import CLinux
import EventLoop
import Glibc

/// Accepts on one listening socket.
///
/// `@unchecked Sendable`: touched on its loop's thread only, after `init`.
final class Acceptor: DescriptorHandler, @unchecked Sendable {
    private static let acceptsPerTurn = 64
    /// How long accepting rests when the process is out of descriptors: without the rest the loop would spin.
    private static let rest = Duration.milliseconds(100)

    private let loop: EventLoop
    private let connections: ConnectionCount
    private let targets: [Acceptance]
    private var descriptor: Int32
    private var turn = 0
    private var isAccepting = false

    init(descriptor: Int32, loop: EventLoop, connections: ConnectionCount, targets: [Acceptance]) {
        self.descriptor = descriptor
        self.loop = loop
        self.connections = connections
        self.targets = targets
    }

    func start() {
        let isRunning = loop.execute { [self] in
            guard descriptor >= 0, !isAccepting else { return }
            isAccepting = true
            do {
                try loop.registerReader(descriptor, handler: self)
            } catch {
                closeDescriptor()
            }
        }
        if !isRunning { closeDescriptor() }
    }

    func stop() {
        loop.execute { [self] in
            guard descriptor >= 0 else { return }
            if isAccepting {
                while acceptOne() {}
                loop.deregister(descriptor)
            }
            closeDescriptor()
        }
    }

    func ready(_ events: ReadyEvents) {
        for _ in 0..<Self.acceptsPerTurn {
            guard descriptor >= 0, acceptOne() else { return }
        }
        loop.executeLater { [self] in ready(events) }
    }

    /// - Returns: Whether there may be more.
    private func acceptOne() -> Bool {
        let accepted = pharos_accept(descriptor)
        guard accepted >= 0 else { return shouldRetry(errno) }
        guard connections.enter() else {
            close(accepted)
            return true
        }
        deliver(accepted)
        return true
    }

    private func deliver(_ accepted: Int32) {
        let target = targets[turn % targets.count]
        turn = (turn + 1) % targets.count
        if target.loop === loop { return target.start(accepted) }
        let isRunning = target.loop.execute { target.start(accepted) }
        guard !isRunning else { return }
        connections.leave()
        close(accepted)
    }

    private func shouldRetry(_ code: Int32) -> Bool {
        switch code {
        case EAGAIN: return false
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            loop.schedule(after: Self.rest) { [weak self] in self?.ready(.readable) }
            return false
        // A connection that died while it waited, or an error of its network: the next one may be good.
        default: return code == ECONNABORTED || code == EINTR || code == EPROTO || code == EPERM
        }
    }

    private func closeDescriptor() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    func loopIsStopping() {
        guard descriptor >= 0 else { return }
        loop.deregister(descriptor)
        closeDescriptor()
    }
}
