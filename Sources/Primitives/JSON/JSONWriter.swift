/// Writes compact JSON piece by piece. The caller opens, closes and names things in an order that makes sense; commas
/// and colons come by themselves.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init(reservingBytes count: Int = 256) {
        bytes.reserveCapacity(count)
    }

    public mutating func beginObject() {
        open(UInt8(ascii: "{"))
    }

    public mutating func endObject() {
        close(UInt8(ascii: "}"))
    }

    public mutating func beginArray() {
        open(UInt8(ascii: "["))
    }

    public mutating func endArray() {
        close(UInt8(ascii: "]"))
    }

    public mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    public mutating func string(_ value: String) {
        separate()
        JSONText.append(value, to: &bytes)
    }

    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Infinities and NaN become `null`.
    public mutating func double(_ value: Double) {
        separate()
        bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    }

    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    public mutating func value(_ value: JSONValue) {
        separate()
        value.append(to: &bytes)
    }

    /// Text that is JSON already: one whole value.
    public mutating func raw(_ text: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

extension JSONWriter {
    public mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    public mutating func member(_ name: String, _ value: some FixedWidthInteger) {
        key(name)
        integer(value)
    }

    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    public mutating func member(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }
}
