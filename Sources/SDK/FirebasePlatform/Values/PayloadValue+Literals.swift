extension PayloadValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(arrayLiteral elements: PayloadValue...) { self = .array(elements) }

    /// A repeated key takes the last value.
    public init(dictionaryLiteral elements: (String, PayloadValue)...) {
        self = .dictionary(Dictionary(elements) { _, last in last })
    }
}
