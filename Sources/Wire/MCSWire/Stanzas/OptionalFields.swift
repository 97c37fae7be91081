internal import ProtobufWire

/// Optional fields: `nil` and the empty text are left out.
extension ProtobufWriter {
    mutating func write(_ value: (some BinaryInteger)?, field: Int) {
        if let value { write(Int64(truncatingIfNeeded: value), field: field) }
    }

    mutating func write(_ value: Bool?, field: Int) {
        if let value { write(value, field: field) }
    }

    mutating func write(nonEmpty text: String, field: Int) {
        if !text.isEmpty { write(text, field: field) }
    }

    mutating func write(_ message: (some MCSMessage)?, field: Int) {
        guard let message else { return }
        var inner = ProtobufWriter()
        message.write(into: &inner)
        write(message: inner, field: field)
    }
}

extension ProtobufReader {
    mutating func read<Message: MCSMessage>(_: Message.Type = Message.self) throws(ProtobufError) -> Message {
        var inner = try readMessage()
        return try Message(reading: &inner)
    }
}
