import JSON
import PushModel

/// Walks one message in the JSON form of protocol buffers, field by field, and notes every fault with the path of its
/// field. Only a fault of the JSON syntax ends the walk.
///
/// Both spellings of a name are equal, `null` means absent, and of repeated names the last one counts. A read answers
/// `nil` for an absent value and for a fault. Source: protobuf.dev, ProtoJSON format.
struct ProtoJSONReader {
    /// More faults than a person reads are not described.
    static let maximumFaults = 20

    var cursor: JSONCursor
    private(set) var faults: [ProtoJSONFault] = []
    /// The first rule of the service that was broken.
    private(set) var refusal: FieldRefusal?

    init(_ cursor: JSONCursor) {
        self.cursor = cursor
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
        while let key = try cursor.nextKey() {
            if let place = names.place(of: key) {
                let mark = mark
                try body(&self, place)
                if mark != self.mark { prepend(.name(names[place]), since: mark) }
            } else {
                note(.unknownName(excerpt(key.text)))
                try cursor.skipValue()
            }
        }
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
        var index = 0
        try cursor.beginArray()
        while try cursor.nextElement() {
            let mark = mark
            if try cursor.peek() == .null {
                try noteMismatch(type)
            } else if let value = try element(&self) {
                elements.append(value)
            }
            if mark != self.mark { prepend(.index(index), since: mark) }
            index += 1
        }
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
        while let key = try cursor.nextKey() {
            if try cursor.peek() == .string {
                entries.append(Message.DataEntry(key: key.text, value: try cursor.readString()))
            } else {
                let mark = mark
                try noteMismatch("TYPE_STRING")
                prepend(.name("value"), since: mark)
                prepend(.index(index), since: mark)
            }
            index += 1
        }
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
            try noteMismatch(type)
        }
        return false
    }

    /// Notes that the next value does not fit the type of its field, and passes over it.
    private mutating func noteMismatch(_ type: String) throws(JSONError) {
        let kind = try cursor.peek()
        let text = cursor.bytes(in: try cursor.skipValue())
        switch kind {
        case .array: note(.list)
        case .object: note(.objectForScalar)
        default: note(.value(type: type, text: excerpt(String(decoding: text, as: UTF8.self))))
        }
    }

    private mutating func noteMapMismatch() throws(JSONError) {
        switch try cursor.peek() {
        case .null: try cursor.readNull()
        case .array:
            try cursor.skipValue()
            note(.listForMap)
        default: try noteMismatch("Map")
        }
    }

    mutating func note(_ kind: ProtoJSONFault.Kind) {
        if faults.count < Self.maximumFaults { faults.append(ProtoJSONFault(kind: kind)) }
    }

    /// Notes a rule of the service that the value breaks, unless an earlier field broke one.
    mutating func require<Value>(_ value: Value?, orElse error: @escaping (_ field: String) -> SendError) -> Value? {
        if value == nil, refusal == nil { refusal = FieldRefusal(make: error) }
        return value
    }

    /// What was noted so far.
    private struct Mark: Equatable {
        var faults: Int
        var isRefused: Bool
    }

    private var mark: Mark { Mark(faults: faults.count, isRefused: refusal != nil) }

    /// Puts a step before the paths of what was noted since.
    private mutating func prepend(_ step: FieldStep, since mark: Mark) {
        for index in faults.indices.dropFirst(mark.faults) { faults[index].path.prepend(step) }
        if !mark.isRefused { refusal?.path.prepend(step) }
    }

    /// Text of the request for an error message, about 200 bytes of it at most.
    private func excerpt(_ text: String) -> String {
        text.utf8.count <= 200 ? text : String(text.unicodeScalars.prefix(200)) + "…"
    }
}
