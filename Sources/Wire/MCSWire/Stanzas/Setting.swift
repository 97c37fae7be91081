internal import ProtobufWire

/// A named value at login: `new_vc`, `hbping`. Source: Chromium `mcs.proto`, `Setting`.
public struct Setting: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension Setting: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init(name: "", value: "")
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: name = try reader.readString()
            case 2: value = try reader.readString()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(name, field: 1)
        writer.write(value, field: 2)
    }
}
