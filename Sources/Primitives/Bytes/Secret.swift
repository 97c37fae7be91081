/// A value that must not be printed. Whatever prints, logs or dumps it shows `«redacted»`; `reveal()` gives it out.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    public init(_ value: Value) {
        self.value = value
    }

    public func reveal() -> Value {
        value
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "«redacted»" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
