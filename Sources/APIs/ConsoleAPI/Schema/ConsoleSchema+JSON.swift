public import JSON

extension ConsoleSchema {
    /// The schema as OpenAPI 3.1 writes it.
    public var json: JSONObject {
        switch self {
        case .text(let shape): shape.json
        case .integer(let range): Self.integer(range)
        case .number: ["type": "number"]
        case .flag: ["type": "boolean"]
        case .list(let element, let maximum):
            ["type": "array", "items": .object(element.json), "maxItems": .integer(maximum)]
        case .object(let members): Self.object(members)
        case .map(let value, let maximum):
            [
                "type": "object", "additionalProperties": .object(value.json), "maxProperties": .integer(maximum),
            ]
        case .anyOf(let schemas): ["anyOf": .array(schemas.map { .object($0.json) })]
        case .nullable(let schema): ["anyOf": [.object(schema.json), ["type": "null"]]]
        case .reference(let name): ["$ref": .string("#/components/schemas/" + name)]
        case .anything: [:]
        }
    }

    private static func integer(_ range: ClosedRange<Int64>) -> JSONObject {
        var json: JSONObject = ["type": "integer"]
        if range.lowerBound != .min { json["minimum"] = .integer(range.lowerBound) }
        if range.upperBound != .max { json["maximum"] = .integer(range.upperBound) }
        return json
    }

    private static func object(_ members: [Member]) -> JSONObject {
        let properties = members.map { member in
            var json = member.schema.json
            if !member.description.isEmpty { json["description"] = .string(member.description) }
            return (member.name, JSONValue.object(json))
        }
        var json: JSONObject = [
            "type": "object", "properties": .object(JSONObject(properties)), "additionalProperties": false,
        ]
        let required = members.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { json["required"] = .array(required) }
        return json
    }
}

extension ConsoleSchema.TextShape {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["type": "string"]
        if minimumLength > 0 { json["minLength"] = .integer(minimumLength) }
        if let maximumLength { json["maxLength"] = .integer(maximumLength) }
        if let format { json["format"] = .string(format) }
        if let pattern { json["pattern"] = .string(pattern) }
        if !choices.isEmpty { json["enum"] = .array(choices.map { .string($0) }) }
        return json
    }
}
