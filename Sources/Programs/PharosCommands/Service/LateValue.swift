import Synchronization

/// A value that becomes known after the parts that need it were made: routes depend on the ports that listening chooses.
final class LateValue<Value: Sendable>: Sendable {
    private let storage = Mutex<Value?>(nil)

    var value: Value? { storage.withLock { $0 } }

    func set(_ value: Value) { storage.withLock { $0 = value } }
}
