import PushCore
import PushModel
import SQLiteStore
import Timekeeping

extension BenchWorld {
    private static let joinedAtOnce = 1_000

    /// Subscribes registrations to a topic. No name, no topic.
    func join(_ name: String, _ members: [RegistrationID]) async throws {
        guard !name.isEmpty else { return }
        guard let topic = TopicName(name) else { throw BenchFailure.usage("“\(name)” is no topic.") }
        for start in stride(from: 0, to: members.count, by: Self.joinedAtOnce) {
            let some = Array(members[start..<min(start + Self.joinedAtOnce, members.count)])
            _ = try await store.subscribe(some, to: topic, in: project.number, at: clock.now())
        }
    }
}
