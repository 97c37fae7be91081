import CLinux
import EventLoop
import Glibc
import Synchronization

/// Looks host names up on threads of its own, because the system's look-up blocks.
final class NameResolver: Sendable {
    static let shared = NameResolver()

    /// Look-ups at a time; further ones wait.
    private static let maximumThreads = 8
    private static let maximumAddresses = 8

    private struct State {
        var threads = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Calls back on the loop, later, with the numeric addresses; empty when the name has none.
    func resolve(_ host: String, on loop: EventLoop, _ answer: @escaping ([String]) -> Void) {
        let reply = LoopReply(answer)
        if pharos_address_family(host) != 0 {
            loop.execute { reply.give([host]) }
        } else if host.lowercased() == "localhost" {
            loop.execute { reply.give(["127.0.0.1", "::1"]) }
        } else {
            enqueue {
                let addresses = Self.lookUp(host)
                loop.execute { reply.give(addresses) }
            }
        }
    }

    private func enqueue(_ lookUp: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.waiting.append(lookUp)
            guard state.threads < Self.maximumThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread() }
    }

    private func startThread() {
        var handle = pthread_t()
        let owner = Unmanaged.passRetained(self)
        let code = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<NameResolver>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, owner.toOpaque())
        guard code == 0 else {
            owner.release()
            return work()
        }
        pthread_detach(handle)
    }

    private func work() {
        while let lookUp = next() { lookUp() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private static func lookUp(_ host: String) -> [String] {
        let width = Int(PHAROS_ADDRESS_BYTES)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: width * maximumAddresses) { rows in
            guard let start = rows.baseAddress else { return [] }
            let count = pharos_resolve(host, start, Int32(maximumAddresses))
            return (0..<max(0, Int(count))).map { String(cString: start + $0 * width) }
        }
    }
}

/// Carries a callback of a loop to another thread and back.
///
/// `@unchecked Sendable`: the callback is called on its own loop only.
private final class LoopReply: @unchecked Sendable {
    private let callback: ([String]) -> Void

    init(_ callback: @escaping ([String]) -> Void) {
        self.callback = callback
    }

    func give(_ addresses: [String]) {
        callback(addresses)
    }
}
