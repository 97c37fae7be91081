/// A key of an object, compared without a copy: `switch key { case "message": … }`.
///
/// Points into the text of its cursor, so it lives no longer than the closure that lent the cursor.
public struct JSONKey {
    private let raw: UnsafeRawBufferPointer
    /// The key without escapes, when it had any.
    private let unescaped: [UInt8]?

    init(_ string: ScannedString, in text: UnsafeRawBufferPointer) {
        raw = UnsafeRawBufferPointer(rebasing: text[string.content])
        unescaped = string.hasEscapes ? string.unescaped(in: text) : nil
    }

    /// The key as text.
    public var text: String {
        if let unescaped { return String(decoding: unescaped, as: UTF8.self) }
        return String(decoding: raw, as: UTF8.self)
    }

    /// The length of the key's UTF-8.
    public var byteCount: Int { unescaped?.count ?? raw.count }

    public static func == (key: JSONKey, name: StaticString) -> Bool {
        if let unescaped = key.unescaped {
            return name.withUTF8Buffer { unescaped.elementsEqual($0) }
        }
        return name.withUTF8Buffer { $0.count == key.raw.count && $0.elementsEqual(key.raw) }
    }

    public static func ~= (name: StaticString, key: JSONKey) -> Bool {
        key == name
    }

    public static func == (key: JSONKey, name: [UInt8]) -> Bool {
        if let unescaped = key.unescaped { return unescaped == name }
        return key.raw.count == name.count && key.raw.elementsEqual(name)
    }
}
