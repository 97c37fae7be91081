import PushCore
import PushModel
import Synchronization

/// Topic members in a table.
final class TabledMemberships: TopicMemberships {
    private struct State {
        var members: [TopicName: [RegistrationID]] = [:]
        var live: [RegistrationID] = []
        var membersRead = 0
        var everyoneWasAsked = false
    }

    private let state = Mutex(State())

    func set(_ members: Set<Int64>, of topic: TopicName) {
        state.withLock { $0.members[topic] = members.sorted().map { RegistrationID(value: $0) } }
    }

    func setLive(_ ids: Set<Int64>) {
        state.withLock { $0.live = ids.sorted().map { RegistrationID(value: $0) } }
    }

    var membersRead: Int { state.withLock(\.membersRead) }
    var everyoneWasAsked: Bool { state.withLock(\.everyoneWasAsked) }

    func members(
        of topic: TopicName, in project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] {
        state.withLock { state in
            let page = Self.page(of: state.members[topic] ?? [], after: id, limit: limit)
            state.membersRead += page.count
            return page
        }
    }

    func memberCount(of topic: TopicName, in project: ProjectNumber) throws(StoreError) -> Int {
        state.withLock { $0.members[topic]?.count ?? 0 }
    }

    func liveRegistrations(
        of project: ProjectNumber, after id: RegistrationID?, limit: Int
    ) throws(StoreError) -> [RegistrationID] {
        state.withLock { state in
            state.everyoneWasAsked = true
            return Self.page(of: state.live, after: id, limit: limit)
        }
    }

    private static func page(of members: [RegistrationID], after id: RegistrationID?, limit: Int) -> [RegistrationID] {
        Array(members.drop { member in id.map { member <= $0 } ?? false }.prefix(limit))
    }
}
