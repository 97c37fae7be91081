import FirebasePlatform
import JSON

extension PayloadValue {
    /// Keys of dictionaries in their order.
    var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .real(let number): JSONValue(floatLiteral: number)
        case .null: .null
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let entries):
            .object(
                entries.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json })
        }
    }
}
