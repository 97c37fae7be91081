// swift-format-ignore-file: AvoidRetroactiveConformances

@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationEssentials
@_exported public import ObjectiveC

// What Apple's overlay of the module adds. Bodies are never compiled.

public struct Notification: @unchecked Sendable {
    public typealias Name = NSNotification.Name
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
    public init(name: Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
}

extension NSNotification.Name: @retroactive @unchecked Sendable {}

// In Swift, because FoundationEssentials has a class of that name, which this one shadows.
open class NotificationCenter: NSObject, @unchecked Sendable {
    open class var `default`: NotificationCenter { fatalError() }
    open func addObserver(
        _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
    ) { fatalError() }
    @discardableResult
    open func addObserver(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { fatalError() }
    open func post(
        name: NSNotification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil
    ) { fatalError() }
    open func removeObserver(_ observer: Any) { fatalError() }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { fatalError() }
}

extension NSError: @retroactive Error {}

extension Error {
    public var localizedDescription: String { fatalError() }
}

extension Bundle {
    public func url(forResource name: String?, withExtension ext: String?, subdirectory: String?) -> URL? {
        fatalError()
    }
}

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { fatalError() }
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

public struct NSKeyValueObservedChange<Value> {
    public let newValue: Value?
}

public final class NSKeyValueObservation: NSObject {
    public func invalidate() { fatalError() }
}

public protocol _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving {
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation { fatalError() }
}

extension NSObject: @retroactive _KeyValueCodingAndObserving {
    public func value(forKey key: String) -> Any? { fatalError() }
    public class func value(forKey key: String) -> Any? { fatalError() }
}

public struct URLFileResourceKey: Hashable, Sendable {}

public struct URLResourceValues {
    public init() { fatalError() }
    public var isExcludedFromBackup: Bool?
}

extension URL {
    public mutating func setResourceValues(_ values: URLResourceValues) throws { fatalError() }
}
