@_exported import ObjectiveC

// What Apple's overlay of the module adds. Bodies are never compiled.

public struct Selector: @unchecked Sendable, Hashable, ExpressibleByStringLiteral {
    private let pointer: OpaquePointer
    public init(_ name: String) { fatalError() }
    public init(stringLiteral name: String) { fatalError() }
}

public struct ObjCBool: Sendable, ExpressibleByBooleanLiteral {
    private let value: Int8
    public init(_ value: Bool) { fatalError() }
    public init(booleanLiteral value: Bool) { fatalError() }
    public var boolValue: Bool { fatalError() }
}

public struct NSZone {
    private let pointer: OpaquePointer
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { fatalError() }

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { fatalError() }

extension NSObject: Equatable, Hashable, CustomStringConvertible,
    CVarArg
{
    public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
    public var _cVarArgEncoding: [Int] { fatalError() }
}
