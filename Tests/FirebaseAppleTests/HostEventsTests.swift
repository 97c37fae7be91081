import FirebasePlatform
import Synchronization
import Testing

@testable import FirebaseApple

@Suite struct `Host events` {
    let executor = ManualExecutor()

    @Test func `tell a late observer about the latest answer of APNs, on main`() {
        let host = HostEvents(main: executor)
        host.report(.failed(reason: "no network"))
        host.report(.registered(deviceToken: [1, 2], environment: nil))
        executor.drain()
        let seen = Mutex<[PushRegistrationEvent]>([])
        let observation = host.observe { event in seen.withLock { $0.append(event) } }
        #expect(seen.withLock { $0 } == [])
        executor.drain()
        #expect(seen.withLock { $0 } == [.registered(deviceToken: [1, 2], environment: nil)])
        observation.cancel()
    }

    @Test func `tell nobody twice, however late an answer is told`() {
        let host = HostEvents(main: executor)
        host.report(.failed(reason: "no network"))
        let seen = Mutex<[PushRegistrationEvent]>([])
        let observation = host.observe { event in seen.withLock { $0.append(event) } }
        executor.drain()
        #expect(seen.withLock { $0 } == [.failed(reason: "no network")])
        observation.cancel()
    }

    @Test func `bring messages to every observer until it cancels`() {
        let host = HostEvents(main: executor)
        let seen = Mutex<[IncomingMessage]>([])
        let observation = host.observeMessages { message in seen.withLock { $0.append(message) } }
        host.report(.received(["gcm.message_id": "1"]))
        host.report(.dismissed(["gcm.message_id": "1"]))
        executor.drain()
        observation.cancel()
        host.report(.received(["gcm.message_id": "2"]))
        executor.drain()
        #expect(
            seen.withLock { $0 } == [.received(["gcm.message_id": "1"]), .dismissed(["gcm.message_id": "1"])])
    }

    @Test func `keep no message for later: the system hands it over once`() {
        let host = HostEvents(main: executor)
        host.report(.received(["gcm.message_id": "1"]))
        executor.drain()
        let count = Mutex(0)
        let observation = host.observeMessages { _ in count.withLock { $0 += 1 } }
        executor.drain()
        #expect(count.withLock { $0 } == 0)
        observation.cancel()
    }
}
