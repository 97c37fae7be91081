import PushCore
import PushModel
import Synchronization

/// Registrations that were asked for lately, so that a send to a known device needs no query.
///
/// The writer forgets what a transaction changed before it tells anybody that the transaction is durable, so a read
/// sees every write that has returned. Only the server keeps one: no other process changes registrations but for
/// deleting whole projects, and nobody looks for the registrations of a project that is gone.
final class RegistrationCache: Sendable {
    /// Two generations: a full young one becomes the old one, and what is asked for moves to the young one.
    fileprivate struct State {
        var young: [RegistrationID: Registration] = [:]
        var old: [RegistrationID: Registration] = [:]
        /// Members of topics, apart: reading a large topic must not drive out what single sends need.
        var members: [RegistrationID: Registration] = [:]
        /// How often something of a part of the ids was forgotten: what was read before that may be outdated.
        var forgotten = [UInt64](repeating: 0, count: RegistrationCache.parts)
    }

    fileprivate static let parts = 256

    private let generationLimit: Int
    private let state = Mutex(State())

    /// - Parameter limit: Registrations kept; 0 keeps none.
    init(limit: Int) {
        generationLimit = limit / 2
    }

    /// The registration that is remembered, else what `read` finds in the store.
    func registration(
        _ id: RegistrationID, read: () throws(StoreError) -> Registration?
    ) throws(StoreError) -> Registration? {
        guard generationLimit > 0 else { return try read() }
        let (known, forgotten) = state.withLock { ($0.take(id, generationLimit), $0.forgotten[Self.part(of: id)]) }
        if let known { return known }
        guard let registration = try read() else { return nil }
        state.withLock { state in
            guard state.forgotten[Self.part(of: id)] == forgotten else { return }
            state.insert(registration, generationLimit)
        }
        return registration
    }

    /// Members of a topic, in the order of their ids; those that are remembered, and what `read` finds of the others.
    func registrations(
        _ ids: [RegistrationID], read: ([RegistrationID]) throws(StoreError) -> [Registration]
    ) throws(StoreError) -> [Registration] {
        guard generationLimit > 0 else { return try read(ids) }
        let (known, unknown, forgotten) = state.withLock { $0.members(ids) }
        guard !unknown.isEmpty else { return known }
        let found = try read(unknown)
        state.withLock { state in
            for registration in found
            where state.forgotten[Self.part(of: registration.id)] == forgotten[Self.part(of: registration.id)] {
                state.insert(member: registration, generationLimit)
            }
        }
        return known.isEmpty ? found : merged(known, found, in: ids)
    }

    private func merged(_ known: [Registration], _ found: [Registration], in ids: [RegistrationID]) -> [Registration] {
        let all = Dictionary((known + found).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return ids.compactMap { all[$0] }
    }

    /// Lets go of what a transaction changed.
    func forget(_ ids: [RegistrationID]) {
        guard generationLimit > 0, !ids.isEmpty else { return }
        state.withLock { state in
            for id in ids {
                state.young[id] = nil
                state.old[id] = nil
                state.members[id] = nil
                state.forgotten[Self.part(of: id)] &+= 1
            }
        }
    }

    private static func part(of id: RegistrationID) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: id.value) % UInt64(parts))
    }
}

extension RegistrationCache.State {
    fileprivate mutating func take(_ id: RegistrationID, _ limit: Int) -> Registration? {
        if let registration = young[id] { return registration }
        guard let registration = old.removeValue(forKey: id) else { return nil }
        insert(registration, limit)
        return registration
    }

    fileprivate func members(
        _ ids: [RegistrationID]
    ) -> (known: [Registration], unknown: [RegistrationID], forgotten: [UInt64]) {
        var known: [Registration] = []
        var unknown: [RegistrationID] = []
        known.reserveCapacity(ids.count)
        for id in ids {
            if let registration = members[id] ?? young[id] ?? old[id] {
                known.append(registration)
            } else {
                unknown.append(id)
            }
        }
        return (known, unknown, forgotten)
    }

    fileprivate mutating func insert(member registration: Registration, _ limit: Int) {
        if members.count >= limit { members = [:] }
        members[registration.id] = registration
    }

    fileprivate mutating func insert(_ registration: Registration, _ limit: Int) {
        if young.count >= limit {
            old = young
            young = [:]
        }
        young[registration.id] = registration
    }
}
