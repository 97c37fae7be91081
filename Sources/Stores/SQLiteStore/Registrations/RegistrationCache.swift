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

    /// Lets go of what a transaction changed.
    func forget(_ ids: [RegistrationID]) {
        guard generationLimit > 0, !ids.isEmpty else { return }
        state.withLock { state in
            for id in ids {
                state.young[id] = nil
                state.old[id] = nil
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

    fileprivate mutating func insert(_ registration: Registration, _ limit: Int) {
        if young.count >= limit {
            old = young
            young = [:]
        }
        young[registration.id] = registration
    }
}
