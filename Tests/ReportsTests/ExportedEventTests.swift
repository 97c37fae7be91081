import JSON
import PropertyTesting
import PushModel
import Testing
import Timekeeping

@testable import Reports

@Suite struct `Rows of an export` {
    static let event = ExportedEvent(
        time: Timestamp(milliseconds: 1_700_000_000_250), project: ProjectNumber(value: 123_456_789_012),
        messageID: "1700000000000001", instanceID: "cAAAAAAAAAAAAAAAAAAAAA", messageType: "DISPLAY_NOTIFICATION",
        platform: "IOS", appName: "com.example.app", priority: 10, timeToLive: 3600, topic: "news", bulkID: 7,
        event: "MESSAGE_ACCEPTED", label: "spring")

    @Test func `have the columns of the BigQuery export`() throws {
        let header = String(decoding: ExportedEvent.csvHeader, as: UTF8.self)
        #expect(header.hasPrefix("event_timestamp,project_number,message_id,instance_id,message_type,sdk_platform,"))
        let line = String(decoding: Self.event.csvLine, as: UTF8.self)
        #expect(
            line
                == "2023-11-14T22:13:20.250Z,123456789012,1700000000000001,cAAAAAAAAAAAAAAAAAAAAA,DISPLAY_NOTIFICATION,"
                + "IOS,com.example.app,,10,3600,news,7,MESSAGE_ACCEPTED,spring\r\n")
        let json = try #require(try JSONValue(parsing: Array(Self.event.jsonLine.dropLast())).object)
        #expect(json.map(\.name) == ExportedEvent.columns)
        #expect(json["priority"]?.int64 == 10)
    }

    static let fields: [(String, String)] = [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("two\nlines", "\"two\nlines\""), ("cr\r", "\"cr\r\""), ("=1+1", "'=1+1"), ("@cmd", "'@cmd"),
        ("+49", "+49"), ("-7", "-7"), ("-x", "'-x"), ("\tx", "'\tx"), ("é,ü", "\"é,ü\""),
    ]

    @Test(arguments: fields) func `quote what would break a line, and disarm formulas`(text: String, field: String) {
        #expect(CSV.field(text) == field)
    }

    @Test func `any text comes back from a CSV field`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let characters: [Character] = ["a", ",", "\"", "\n", "\r", "é", " ", "x"]
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in characters.randomElement(using: &random)! })
            let field = CSV.field(text)
            var read = field
            if field.hasPrefix("\"") {
                read = String(field.dropFirst().dropLast()).replacing("\"\"", with: "\"")
            }
            if read.hasPrefix("'") { read.removeFirst() }
            #expect(read.unicodeScalars.elementsEqual(text.unicodeScalars))
        }
    }
}
