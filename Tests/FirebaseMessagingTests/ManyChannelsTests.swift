import Dispatch
import FirebaseCore
import FirebasePlatform
import Foundation
import MCSWire
import Synchronization
import Testing

@testable import FirebaseMessaging

/// Servers of the direct channel on threads of their own: they take every login, confirm every message, and end one
/// connection in five, until they are told to be calm.
private final class RestlessServer: ByteStreamConnector {
    private struct State {
        var connections = 0
        var isCalm = false
        var received: Set<String> = []
    }

    private let state = Mutex(State())

    func calmDown() { state.withLock { $0.isCalm = true } }

    var received: Set<String> { state.withLock(\.received) }

    func connect(
        host: String, port: UInt16, events: @escaping @Sendable (ByteStreamEvent) -> Void
    ) -> any ByteStream {
        let isShort = state.withLock { state in
            state.connections += 1
            return state.connections % 5 == 0 && !state.isCalm
        }
        return RestlessStream(patience: isShort ? 3 : .max, events: events) { [self] id in
            state.withLock { _ = $0.received.insert(id) }
        }
    }
}

private final class RestlessStream: ByteStream {
    private struct State {
        var reader = MCSFrameReader(maximumPayloadBytes: 1 << 20)
        var read: Int32 = 0
        var hasEnded = false
    }

    private let queue = DispatchQueue(label: "server")
    private let state = Mutex(State())
    private let patience: Int
    private let events: @Sendable (ByteStreamEvent) -> Void
    private let received: @Sendable (String) -> Void

    init(
        patience: Int, events: @escaping @Sendable (ByteStreamEvent) -> Void,
        received: @escaping @Sendable (String) -> Void
    ) {
        self.patience = patience
        self.events = events
        self.received = received
        queue.async { events(.opened) }
    }

    func close() {
        queue.async { [self] in state.withLock { $0.hasEnded = true } }
    }

    func write(_ bytes: [UInt8]) {
        queue.async { [self] in take(bytes) }
    }

    private func take(_ bytes: [UInt8]) {
        let (answer, ends) = state.withLock { state in
            guard !state.hasEnded else { return ([UInt8](), false) }
            state.reader.receive(bytes)
            var answer: [UInt8] = []
            while let element = try? state.reader.next() {
                switch element {
                case .version(let version): answer.append(version)
                case .packet(let packet):
                    state.read += 1
                    self.answer(packet, read: state.read).append(to: &answer)
                }
            }
            state.hasEnded = state.read > patience
            return (answer, state.hasEnded)
        }
        if !answer.isEmpty { events(.received(answer)) }
        if ends { events(.closed(.networkConnectionLost)) }
    }

    private func answer(_ packet: MCSPacket, read: Int32) -> MCSPacket {
        if case .dataMessage(let stanza) = packet { received(stanza.id) }
        guard case .loginRequest(let request) = packet else {
            return .iq(.streamAck(lastStreamIDReceived: read))
        }
        return .loginResponse(LoginResponse(id: request.id))
    }
}

@Suite struct `Many direct channels in one process` {
    private static let senders = 4
    private static let messages = 40

    @Test func `each message of each phone ends once, whatever all threads do`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { try await live(number) }
            }
            try await group.waitForAll()
        }
    }

    /// The life of one phone.
    private func live(_ number: Int) async throws {
        let service = FakeService()
        let server = RestlessServer()
        var device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: TestPhone.bundleID))
        device.random = SeededRandom(seed: UInt64(number))
        device.appState = ManualAppState(.active)
        device.transport.answer { await service.answer($0) }
        var platform = device.platform
        let main = QueueMain()
        platform.executors = Executors(main: main, background: globalConcurrentExecutor)
        platform.byteStreams = server
        let container = FirebaseContainer(platform: platform)
        let options = FirebaseOptions(googleAppID: TestPhone.appID, gcmSenderID: TestPhone.sender)
        options.apiKey = TestPhone.apiKey
        try container.configure(options: options)
        let messaging = try #require(container.messaging)
        messaging.apnsToken = Data([UInt8(number)])
        _ = try await messaging.tokens.token()

        let endings = Endings(expected: Self.senders * Self.messages)
        let observation = device.notifications.record.observe { endings.note($0) }
        let app = device.appState
        await withTaskGroup(of: Void.self) { work in
            for sender in 0..<Self.senders {
                work.addTask {
                    let calls: any DirectChannelCalls = messaging
                    for message in 0..<Self.messages {
                        calls.sendMessage(["k": 1], to: "x", withMessageID: "\(sender)-\(message)", timeToLive: 3600)
                        if message % 8 == sender { calls.connect { _ in } }
                        await Task.yield()
                    }
                }
            }
            work.addTask {
                let calls: any DirectChannelCalls = messaging
                for round in 0..<20 {
                    calls.shouldEstablishDirectChannel = round % 3 != 0
                    main.enqueue { app.move(to: round % 2 == 0 ? .background : .active) }
                    if round % 7 == 0 { calls.disconnect() }
                    _ = calls.isDirectChannelEstablished
                    await Task.yield()
                }
            }
        }
        server.calmDown()
        let calls: any DirectChannelCalls = messaging
        calls.shouldEstablishDirectChannel = false
        // On a short connection made earlier the first attempt may still fail.
        while !endings.isComplete {
            await withCheckedContinuation { continuation in
                calls.connect { _ in continuation.resume() }
            }
            if await endings.wait() { break }
        }
        observation.cancel()
        await container.app?.delete()
        #expect(endings.succeeded.count == Self.senders * Self.messages)
        #expect(Set(endings.succeeded) == server.received)
        #expect(Set(endings.succeeded).count == endings.succeeded.count)
    }
}

/// The ids of the messages that succeeded; wakes whoever waits when the channel breaks or all are there.
private final class Endings: Sendable {
    private struct State {
        var succeeded: [String] = []
        var waiter: CheckedContinuation<Bool, Never>?
        /// The channel changed while nobody waited.
        var hasChanged = false
    }

    private let expected: Int
    private let state = Mutex(State())

    init(expected: Int) {
        self.expected = expected
    }

    var succeeded: [String] { state.withLock(\.succeeded) }
    var isComplete: Bool { state.withLock { $0.succeeded.count >= expected } }

    func note(_ entry: RecordingNotifications.Entry) {
        let (waiter, isComplete): (CheckedContinuation<Bool, Never>?, Bool) = state.withLock { state in
            if entry.name == .upstreamSent, let id = entry.userInfo["messageID"] as? String {
                state.succeeded.append(id)
            }
            let isComplete = state.succeeded.count >= expected
            guard isComplete || entry.name == .directChannelChanged else { return (nil, isComplete) }
            state.hasChanged = state.waiter == nil
            return (state.waiter.take(), isComplete)
        }
        waiter?.resume(returning: isComplete)
    }

    /// - Returns: Whether all are there; else the channel changed.
    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                guard state.succeeded.count < expected else { return true }
                defer { state.hasChanged = false }
                if state.hasChanged { return false }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
