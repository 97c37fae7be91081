import Dispatch
import FirebaseCore
import FirebasePlatform
import Foundation
import Synchronization
import Testing

@testable import FirebaseMessaging

/// A main executor with a thread of its own, as a real device has.
final class QueueMain: MainExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue = DispatchQueue(label: "main of a phone")

    init() {
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}

@Suite struct `Many phones in one process` {
    /// One phone that lives on the shared pool of threads.
    private func phone(_ number: Int) throws -> (FirebaseContainer, FakeService) {
        let service = FakeService()
        var device = InMemoryDevice(appInfo: FixedAppInfo(bundleID: TestPhone.bundleID))
        device.random = SeededRandom(seed: UInt64(number))
        device.transport.answer { await service.answer($0) }
        var platform = device.platform
        platform.executors = Executors(main: QueueMain(), background: globalConcurrentExecutor)
        let container = FirebaseContainer(platform: platform)
        let options = FirebaseOptions(googleAppID: TestPhone.appID, gcmSenderID: TestPhone.sender)
        options.apiKey = TestPhone.apiKey
        try container.configure(options: options)
        return (container, service)
    }

    @Test func `each makes its own topic calls, many at once`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    let (container, _) = try phone(number)
                    try await container.perform {
                        let messaging = Messaging.messaging()
                        messaging.apnsToken = Data([UInt8(number)])
                        try await withThrowingTaskGroup(of: Void.self) { calls in
                            for topic in 0..<30 {
                                calls.addTask {
                                    try await messaging.subscribe(toTopic: "t\(topic)")
                                    try await messaging.unsubscribe(fromTopic: "t\(topic)")
                                }
                                messaging.subscribe(toTopic: "quiet\(topic)", completion: nil)
                            }
                            try await calls.waitForAll()
                        }
                        await container.app?.delete()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `each keeps its own registration while all work at once`() async throws {
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let (container, _) = try phone(number)
                    return try await container.perform {
                        let delegate = RecordingDelegate()
                        Messaging.messaging().delegate = delegate
                        Messaging.messaging().apnsToken = Data([UInt8(number)])
                        let first = try await Messaging.messaging().tokens.token()
                        async let deletion: Void = Messaging.messaging().tokens.deleteToken()
                        async let other = Messaging.messaging().tokens.retrieveFCMToken(forSenderID: "42")
                        Messaging.messaging().appDidReceiveMessage(["gcm.message_id": "1", "aps": ["alert": "x"]])
                        _ = try await (deletion, other)
                        // A completion comes on main, after what was told there before.
                        let last = try await withCheckedThrowingContinuation { continuation in
                            Messaging.messaging().tokens.token { token, error in
                                continuation.resume(
                                    with: Result { try token ?? { throw error ?? MessagingError(.unknown) }() })
                            }
                        }
                        #expect(first != last)
                        #expect(delegate.calls.contains(.token(first)))
                        await container.app?.delete()
                        return last
                    }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 100)
    }
}
