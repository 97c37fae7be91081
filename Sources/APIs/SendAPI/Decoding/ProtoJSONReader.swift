import JSON
import PushModel

/// Walks one message in the JSON form of protocol buffers, field by field, and notes every fault with the path of its
/// field. Only a fault of the JSON syntax ends the walk.
///
/// Both spellings of a name are equal, `null` means absent, and of repeated names the last one counts. A read answers
/// `nil` for an absent value and for a fault. Source: protobuf.dev, ProtoJSON format.
struct ProtoJSONReader {
    /// A field on the way from the root to the value that is read, with the place inside it.
    private struct Step {
        var name: String
        var index: Int?
    }

    /// More faults than a person reads are not described.
    static let maximumFaults = 20

    var cursor: JSONCursor
    private(set) var faults: [SendError.Violation] = []
    /// The first rule of the service that a well-formed value broke.
    private(set) var refusal: SendError?
    private var steps: [Step] = []

    init(_ cursor: JSONCursor) {
        self.cursor = cursor
        steps.reserveCapacity(8)
    }

    // MARK: Messages

    /// Reads an object; `body` reads the value of each known field.
    ///
    /// - Returns: Whether there was an object.
    mutating func readMessage<Field>(
        _ type: MessageType<Field>, _ body: (inout ProtoJSONReader, Field) throws(JSONError) -> Void
    ) throws(JSONError) -> Bool {
        try readObject(names: type.names, url: type.url) { (reader, place) throws(JSONError) in
            try body(&reader, type.fields[place])
        }
    }

    /// As `readMessage`, for a table of fields; `body` gets the place in the table.
    mutating func readObject(
        names: FieldNames, url: String, _ body: (inout ProtoJSONReader, Int) throws(JSONError) -> Void
    ) throws(JSONError) -> Bool {
        guard try isNext(.object, type: url) else { return false }
        try cursor.beginObject()
        steps.append(Step(name: ""))
        while let key = try cursor.nextKey() {
            if let place = names.place(of: key) {
                steps[steps.count - 1].name = names[place]
                try body(&self, place)
            } else {
                noteUnknown(key.text, "Cannot find field.", at: location(dropping: 1))
                try cursor.skipValue()
            }
        }
        steps.removeLast()
        return true
    }

    /// Reads a JSON array; `element` reads each element.
    mutating func readList<Element>(
        of type: String, _ element: (inout ProtoJSONReader) throws(JSONError) -> Element?
    ) throws(JSONError) -> [Element]? {
        guard try cursor.peek() == .array else {
            _ = try isNext(.array, type: type)
            return nil
        }
        var elements: [Element] = []
        try cursor.beginArray()
        while try cursor.nextElement() {
            steps[steps.count - 1].index = elements.count
            if try cursor.peek() == .null {
                try noteInvalid(type)
            } else if let value = try element(&self) {
                elements.append(value)
            }
        }
        steps[steps.count - 1].index = nil
        return elements
    }

    /// Reads a map of strings, in the order sent. A repeated key keeps its place and takes the later value.
    mutating func readStringMap() throws(JSONError) -> [Message.DataEntry]? {
        guard try cursor.peek() == .object else {
            try noteMapMismatch()
            return nil
        }
        var entries: [Message.DataEntry] = []
        var index = 0
        try cursor.beginObject()
        steps.append(Step(name: "value"))
        while let key = try cursor.nextKey() {
            steps[steps.count - 2].index = index
            index += 1
            if try cursor.peek() == .string {
                entries.append(Message.DataEntry(key: key.text, value: try cursor.readString()))
            } else {
                try noteInvalid("TYPE_STRING")
            }
        }
        steps.removeLast()
        steps[steps.count - 1].index = nil
        return entries.keepingLastValues()
    }

    // MARK: Faults

    /// Whether a value of that kind is next. Passes over a `null`, and notes and passes over anything else.
    mutating func isNext(_ kind: JSONKind, type: String) throws(JSONError) -> Bool {
        let next = try cursor.peek()
        if next == kind { return true }
        if next == .null {
            try cursor.readNull()
        } else {
            try noteInvalid(type)
        }
        return false
    }

    /// Notes that the next value does not fit the type of its field, and passes over it.
    mutating func noteInvalid(_ type: String) throws(JSONError) {
        let kind = try cursor.peek()
        let text = cursor.bytes(in: try cursor.skipValue())
        switch kind {
        case .array:
            noteUnknown(
                steps.last?.name ?? "", "Proto field is not repeating, cannot start list.", at: location(dropping: 1))
        case .object:
            noteValue(steps.last?.name ?? "", "Starting an object on a scalar field", at: location(dropping: 1))
        default: noteValue(type, excerpt(text), at: location())
        }
    }

    /// Notes that a value does not fit the type of its field.
    mutating func noteValue(_ type: String, _ value: String) {
        noteValue(type, value, at: location())
    }

    /// Notes that a second member of a oneof came.
    mutating func noteConflict(in oneof: String) {
        noteValue(
            "oneof", "oneof field '\(oneof)' is already set. Cannot set '\(steps.last?.name ?? "")'",
            at: location(dropping: 1))
    }

    /// Notes a rule of the service that the value breaks, unless an earlier field broke one.
    mutating func require<Value>(_ value: Value?, orElse error: (_ field: String) -> SendError) -> Value? {
        if value == nil, refusal == nil { refusal = error(location()) }
        return value
    }

    /// The name of the field that is read, as JSON spells it.
    var fieldJSONName: String { lowerCamelCase(steps.last?.name ?? "") }

    mutating func noteRoot() {
        noteUnknown("", "Root element must be a message.", at: "")
    }

    private mutating func noteMapMismatch() throws(JSONError) {
        switch try cursor.peek() {
        case .null: try cursor.readNull()
        case .array:
            try cursor.skipValue()
            let name = steps.last?.name ?? ""
            noteValue("Map", "Cannot bind a list to map for field '\(name)'.", at: location(dropping: 1))
        default: try noteInvalid("Map")
        }
    }

    private mutating func noteUnknown(_ name: String, _ problem: String, at place: String) {
        let name = excerpt(Array(name.utf8))
        let preposition = place.isEmpty ? "" : " at '\(place)'"
        note("Invalid JSON payload received. Unknown name \"\(name)\"\(preposition): \(problem)", at: place)
    }

    private mutating func noteValue(_ type: String, _ value: String, at place: String) {
        note("Invalid value at '\(place)' (\(type)), \(value)", at: place)
    }

    private mutating func note(_ description: String, at place: String) {
        guard faults.count < Self.maximumFaults else { return }
        faults.append(SendError.Violation(field: place, description: description))
    }

    /// Text of the request for an error message, at most 200 bytes of it.
    private func excerpt(_ text: [UInt8]) -> String {
        guard text.count > 200 else { return String(decoding: text, as: UTF8.self) }
        return String(String(decoding: text.prefix(200), as: UTF8.self).unicodeScalars.dropLast()) + "…"
    }

    /// `message.data[1].value`: the field that is read, or one so many steps above it.
    private func location(dropping count: Int = 0) -> String {
        steps.dropLast(count).map { step in
            step.index.map { "\(step.name)[\($0)]" } ?? step.name
        }.joined(separator: ".")
    }
}
