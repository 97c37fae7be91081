internal import ProtobufWire

/// Why a login or a stanza was refused; clients look only at whether it is there. Source: Chromium `mcs.proto`.
public struct ErrorInfo: Sendable, Equatable {
    public var code: Int32
    /// Field 2. Empty is absent.
    public var message: String
    /// Field 3. Empty is absent.
    public var type: String

    public init(code: Int32 = 0, message: String = "", type: String = "") {
        self.code = code
        self.message = message
        self.type = type
    }
}

extension ErrorInfo: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init()
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: code = try reader.readInt32()
            case 2: message = try reader.readString()
            case 3: type = try reader.readString()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(Int64(code), field: 1)
        writer.write(nonEmpty: message, field: 2)
        writer.write(nonEmpty: type, field: 3)
    }
}
