import ProtobufWire
import PushModel
import Timekeeping

extension ReportedEvent {
    /// Reads `MessagingClientEventExtension`.
    ///
    /// `nil` when it names no project or an event that is not known here.
    /// - Throws: `ProtobufError` when the bytes are no message.
    init?(protobuf bytes: [UInt8], at time: Timestamp) throws(ProtobufError) {
        var reader = ProtobufReader(bytes)
        var found: ReportedEvent?
        while let tag = try reader.nextTag() {
            guard tag == ProtobufTag(field: 1, wireType: .lengthDelimited) else { continue }
            found = try Self.event(try reader.readMessage(), at: time)
        }
        guard let found else { return nil }
        self = found
    }

    private static func event(_ reader: ProtobufReader, at time: Timestamp) throws(ProtobufError) -> ReportedEvent? {
        var reader = reader
        var project: Int64 = 0
        var kind: Kind?
        var event = ReportedEvent(
            .delivered, project: ProjectNumber(value: 0), messageID: "", instanceID: "", occurredAt: time)
        while let tag = try reader.nextTag() {
            switch (tag.field, tag.wireType) {
            case (1, .varint): project = try reader.readInt64()
            case (4, .varint): event.messageType = MessageType(rawValue: try reader.readInt64()) ?? .unknown
            case (5, .varint): event.platform = Platform(rawValue: try reader.readInt64()) ?? .unknown
            case (12, .varint): kind = Kind(rawValue: try reader.readInt64())
            case (14, .varint): event.campaignID = try reader.readInt64()
            case (let field, .lengthDelimited): try event.read(text: field, &reader)
            default: try reader.skip()
            }
        }
        guard let kind, project > 0 else { return nil }
        event.kind = kind
        event.project = ProjectNumber(value: UInt64(project))
        return event
    }

    private mutating func read(text field: Int, _ reader: inout ProtobufReader) throws(ProtobufError) {
        switch field {
        case 2: messageID = try reader.readString()
        case 3: instanceID = try reader.readString()
        case 6: appName = try reader.readString()
        case 10: topic = Self.nonEmpty(try reader.readString())
        case 13: analyticsLabel = Self.nonEmpty(try reader.readString())
        case 15: composerLabel = Self.nonEmpty(try reader.readString())
        default: try reader.skip()
        }
    }

    private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
