import JSON

/// A message that is kept as a JSON object: its fields by table.
struct ObjectType: Sendable {
    indirect enum Kind: Sendable {
        case string, bool, int32, float, duration, timestamp, strings, durations
        case enumeration(EnumType)
        case object(ObjectType)
    }

    let url: String
    let names: FieldNames
    let kinds: [Kind]

    /// - Parameter name: Within `google.firebase.fcm.v1` unless it starts with `google.`.
    init(_ name: String, _ fields: [(name: String, kind: Kind)]) {
        url = name.hasPrefix("google.") ? "type.googleapis.com/\(name)" : fcmTypeURL(name)
        names = FieldNames(fields.map(\.name))
        kinds = fields.map(\.kind)
    }
}

extension ProtoJSONReader {
    /// Reads a message into an object with proto names: enumerations by name, whole numbers as numbers, durations and
    /// times as their text.
    mutating func readObject(_ type: ObjectType) throws(JSONError) -> JSONObject? {
        var object = JSONObject()
        let isThere = try readObject(names: type.names, url: type.url) { (reader, place) throws(JSONError) in
            object[type.names[place]] = try reader.readValue(type.kinds[place])
        }
        return isThere ? object : nil
    }

    private mutating func readValue(_ kind: ObjectType.Kind) throws(JSONError) -> JSONValue? {
        switch kind {
        case .string: try readString().map { .string($0) }
        case .bool: try readBool().map { .bool($0) }
        case .int32: try readInt32().map { .integer($0) }
        case .float: try readFloat().flatMap { JSONNumber($0) }.map { .number($0) }
        case .duration: try readDuration().map { .string($0.text) }
        case .timestamp: try readTimestamp().map { .string($0) }
        case .strings: try readStrings().map { .array($0.map { .string($0) }) }
        case .durations: try readDurations().map { .array($0.map { .string($0.text) }) }
        case .enumeration(let type): try readEnum(type).map(\.json)
        case .object(let type): try readObject(type).map { .object($0) }
        }
    }

    private mutating func readDurations() throws(JSONError) -> [ProtoDuration]? {
        try readList(of: "type.googleapis.com/google.protobuf.Duration") { (reader) throws(JSONError) in
            try reader.readDuration()
        }
    }
}

extension EnumType.Value {
    fileprivate var json: JSONValue {
        switch self {
        case .name(let name): .string(name)
        case .number(let number): .integer(number)
        }
    }
}
