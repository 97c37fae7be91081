internal import ProtobufWire

/// An error of the whole stream: tag 10. Servers never send it today; one client reads and ignores it.
///
/// Source: Chromium `mcs.proto`, `StreamErrorStanza`.
public struct StreamErrorStanza: Sendable, Equatable {
    /// Field 1, required.
    public var type: String
    /// Field 2. Empty is absent.
    public var text: String

    public init(type: String = "", text: String = "") {
        self.type = type
        self.text = text
    }
}

extension StreamErrorStanza: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: type = try reader.readString()
            case 2: text = try reader.readString()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(type, field: 1)
        writer.write(nonEmpty: text, field: 2)
    }
}
