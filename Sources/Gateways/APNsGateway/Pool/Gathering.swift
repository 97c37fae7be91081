import Synchronization

/// Whether somebody hands over many pushes in a row: then the pools' loops are woken once, behind the last of them.
final class Gathering: Sendable {
    private let callers = Atomic(0)

    var isOn: Bool { callers.load(ordering: .sequentiallyConsistent) > 0 }

    func begin() {
        callers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    /// - Returns: Whether nobody else gathers: the caller wakes the loops now.
    func end() -> Bool {
        callers.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
    }
}
