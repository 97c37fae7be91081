import JSON
import PushModel
import Timekeeping

extension ExportedEvent {
    /// The names of the columns, in the order of the export.
    public static let columns = [
        "event_timestamp", "project_number", "message_id", "instance_id", "message_type", "sdk_platform", "app_name",
        "collapse_key", "priority", "ttl", "topic", "bulk_id", "event", "analytics_label",
    ]

    /// The first line of a CSV file.
    public static var csvHeader: [UInt8] { Array((columns.joined(separator: ",") + "\r\n").utf8) }

    /// A line of a CSV file. Source: RFC 4180.
    public var csvLine: [UInt8] {
        let line = fields.map { field in
            switch field.value {
            case .null: ""
            case .integer(let number): String(number)
            case .text(let text): CSV.field(text)
            }
        }
        return Array((line.joined(separator: ",") + "\r\n").utf8)
    }

    /// A line of JSON, as `bq load --source_format=NEWLINE_DELIMITED_JSON` takes it.
    public var jsonLine: [UInt8] {
        var writer = JSONWriter(reservingBytes: 512)
        writer.beginObject()
        for field in fields {
            switch field.value {
            case .null: continue
            case .integer(let number):
                writer.key(field.name)
                writer.value(.integer(number))
            case .text(let text):
                writer.key(field.name)
                writer.string(text)
            }
        }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private enum Value {
        case null
        case integer(Int64)
        case text(String)
    }

    private var fields: [(name: String, value: Value)] {
        let values: [Value] = [
            .text(time.rfc3339), .integer(Int64(clamping: project.value)), .text(messageID), .text(instanceID),
            .text(messageType), .text(platform), .text(appName), .text(collapseKey),
            priority.map { .integer(Int64($0)) } ?? .null, timeToLive.map { .integer($0) } ?? .null, .text(topic),
            bulkID.map { .integer($0) } ?? .null, .text(event), .text(label),
        ]
        return zip(Self.columns, values).map { (name: $0, value: $1) }
    }
}

/// Text in comma-separated files.
public enum CSV {
    /// Quoted where it must be. A text that a spreadsheet would take for a formula gets an apostrophe before it.
    public static func field(_ text: String) -> String {
        let first = text.utf8.first
        let isFormula = ["=", "+", "-", "@", "\t", "\r"].contains { first == $0.utf8.first }
        let safe = isFormula && Int64(text) == nil ? "'" + text : text
        let needsQuotes = safe.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        guard needsQuotes else { return safe }
        var quoted = "\""
        for character in safe.unicodeScalars {
            if character == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}
