public import FirebasePlatform
// What app code takes from Foundation, for a system whose SDK needs none of it.
@_exported public import FoundationEssentials
import Synchronization

/// A notification within the process.
public struct Notification {
    public typealias Name = NotificationName

    public let name: Name
    public let object: Any?
    public let userInfo: [AnyHashable: Any]?
}

public protocol NSObjectProtocol: AnyObject {}

/// The queue of the main thread is the only one: on a virtual iPhone the SDK posts there.
public final class OperationQueue: Sendable {
    public static let main = OperationQueue()
}

extension NotificationCenter {
    /// - Parameters:
    ///   - name: `nil` for every name.
    ///   - object: `nil` for every object.
    public func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let observer = BlockObserver(name: name, object: object.map { ObjectIdentifier($0 as AnyObject) }, block: block)
        BlockObserver.all.withLock { $0.append(observer) }
        return observer
    }

    public func removeObserver(_ observer: Any) {
        BlockObserver.all.withLock { $0.removeAll { $0 === observer as AnyObject } }
    }

    public func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
        let poster = object.map { ObjectIdentifier($0 as AnyObject) }
        let notification = Notification(name: name, object: object, userInfo: userInfo)
        for observer in BlockObserver.all.withLock({ $0 }) where observer.hears(name, from: poster) {
            observer.block(notification)
        }
    }

    /// The process ends: nobody listens any more.
    package static func removeAllObservers() {
        BlockObserver.all.withLock { $0 = [] }
    }
}

private final class BlockObserver: NSObjectProtocol, Sendable {
    static let all = Mutex<[BlockObserver]>([])

    let name: Notification.Name?
    let object: ObjectIdentifier?
    let block: @Sendable (Notification) -> Void

    init(
        name: Notification.Name?, object: ObjectIdentifier?, block: @escaping @Sendable (Notification) -> Void
    ) {
        self.name = name
        self.object = object
        self.block = block
    }

    func hears(_ name: Notification.Name, from poster: ObjectIdentifier?) -> Bool {
        (self.name == nil || self.name == name) && (object == nil || object == poster)
    }
}
