import PushCore
import PushModel
import Timekeeping

extension WriteContext {
    func subscribe(
        _ registrations: [RegistrationID], to topic: TopicName, in project: ProjectNumber, at time: Timestamp
    ) throws(StoreError) -> [TopicChange] {
        var id = try topicID(topic, in: project)
        var added = 0
        var changes: [TopicChange] = []
        changes.reserveCapacity(registrations.count)
        for registration in registrations {
            guard try isLive(registration, in: project) else {
                changes.append(.unknownRegistration)
                continue
            }
            let change = try subscribe(registration.value, to: topic, &id, in: project, at: time)
            if change == .done { added += 1 }
            changes.append(change)
        }
        if let id { try count(added, in: id) }
        return changes
    }

    /// - Parameter id: The topic's number; a new topic gets one with its first member.
    private func subscribe(
        _ registration: Int64, to topic: TopicName, _ id: inout Int64?, in project: ProjectNumber, at time: Timestamp
    ) throws(StoreError) -> TopicChange {
        var list = try topicList(of: registration)
        if let id, list.contains(id) { return .unchanged }
        guard list.entries.count < TopicLimits.topicsPerRegistration else { return .tooManyTopics }
        let number = if let id { id } else { try addTopic(topic, in: project) }
        id = number
        list.append(number, at: time.seconds)
        try put(list, of: registration)
        _ = try addMember(registration, to: number)
        return .done
    }

    func unsubscribe(
        _ registrations: [RegistrationID], from topic: TopicName, in project: ProjectNumber
    ) throws(StoreError) -> [TopicChange] {
        let id = try topicID(topic, in: project)
        var removed = 0
        var changes: [TopicChange] = []
        changes.reserveCapacity(registrations.count)
        for registration in registrations {
            guard try isLive(registration, in: project) else {
                changes.append(.unknownRegistration)
                continue
            }
            let isRemoved = if let id { try leave(id, registration.value) } else { false }
            if isRemoved { removed += 1 }
            changes.append(isRemoved ? .done : .unchanged)
        }
        if let id { try count(-removed, in: id) }
        return changes
    }

    private func leave(_ topic: Int64, _ registration: Int64) throws(StoreError) -> Bool {
        var list = try topicList(of: registration)
        guard list.remove(topic) else { return false }
        try put(list, of: registration)
        return try removeMember(registration, from: topic)
    }

    private func isLive(_ registration: RegistrationID, in project: ProjectNumber) throws(StoreError) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM registrations WHERE id = ? AND project = ? AND ending IS NULL", registration.value,
            project.value) > 0
    }

    // MARK: Endings

    /// - Returns: Out of how many topics the registration went.
    func leaveAllTopics(_ registration: Int64) throws(StoreError) -> Int {
        let list = try topicList(of: registration)
        guard !list.entries.isEmpty else { return 0 }
        try put(TopicList(), of: registration)
        for entry in list.entries where try removeMember(registration, from: entry.topic) {
            try count(-1, in: entry.topic)
        }
        return list.entries.count
    }

    /// Takes registrations that ended or were deleted in this transaction out of their topics. Call after each such
    /// change, before anything else can give them new topics.
    func dropTopicsOfEnded() throws(StoreError) {
        let leavers = try connection.all("DELETE FROM topic_leavers RETURNING registration") { $0.integer(0) }
        for registration in leavers { _ = try leaveAllTopics(registration) }
    }

    /// Ends registrations, and their topics with them.
    func endingTopics<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let result = try body()
        try dropTopicsOfEnded()
        return result
    }

    /// An app instance that registers anew in the other mode, by token or by FID, takes its topics along. Its
    /// registrations for other senders have topics of their own.
    func inheritTopics(
        _ registration: Int64, instance: Int64?, _ names: DraftTexts, _ draft: RegistrationDraft
    ) throws(StoreError) {
        let sender = draft.project.description
        guard let instance, draft.isFIDMode || draft.sender == sender else { return }
        let senderID = try texts.knownID(of: sender, on: connection) ?? -1
        let others = try connection.all(
            """
            SELECT r.id FROM registrations r JOIN topic_lists l ON l.registration = r.id
            WHERE r.instance = ? AND r.bundle = ? AND r.kind <> ? AND r.id <> ? AND r.ending IS NULL
                AND (r.kind IN (1, 3, 5) OR r.sender = ?)
            """, instance, names.bundle, draft.kind.rawValue, registration, senderID
        ) { $0.integer(0) }
        for other in others { try moveTopics(from: other, to: registration) }
    }

    private func moveTopics(from old: Int64, to new: Int64) throws(StoreError) {
        let list = try topicList(of: old)
        var merged = try topicList(of: new)
        let added = merged.merge(list, limit: TopicLimits.topicsPerRegistration)
        // First in, then out: no topic is without a member in between.
        for topic in added where try addMember(new, to: topic) { try count(1, in: topic) }
        _ = try leaveAllTopics(old)
        try put(merged, of: new)
    }
}
