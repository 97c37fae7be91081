internal import ProtobufWire

extension DataMessageStanza: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 2...6, 9, 13: try readText(tag.field, from: &reader)
            case 7: appData.append(try reader.read())
            case 21: rawData = Array(try reader.readBytes())
            default: try readNumber(tag.field, from: &reader)
            }
        }
    }

    private mutating func readText(_ field: Int, from reader: inout ProtobufReader) throws(ProtobufError) {
        let text = try reader.readString()
        switch field {
        case 2: id = text
        case 3: from = text
        case 4: to = text
        case 5: category = text
        case 6: token = text
        case 9: persistentID = text
        default: registrationID = text
        }
    }

    private mutating func readNumber(_ field: Int, from reader: inout ProtobufReader) throws(ProtobufError) {
        switch field {
        case 8: fromTrustedServer = try reader.readBool()
        case 11: lastStreamIDReceived = try reader.readInt32()
        case 16: deviceUserID = try reader.readInt64()
        case 17: timeToLive = try reader.readInt32()
        case 18: sent = try reader.readInt64()
        case 19: queued = try reader.readInt32()
        case 20: status = try reader.readInt64()
        case 24: immediateAck = try reader.readBool()
        case 29: priority = try reader.readInt32()
        default: try reader.skip()
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writeAddresses(into: &writer)
        writer.write(category, field: 5)
        writeContent(into: &writer)
        writer.write(nonEmpty: persistentID, field: 9)
        writer.write(lastStreamIDReceived, field: 11)
        writeTimes(into: &writer)
        writer.write(queued, field: 19)
        writeRest(into: &writer)
    }

    /// Fields 2 to 4.
    func writeAddresses(into writer: inout ProtobufWriter) {
        writer.write(nonEmpty: id, field: 2)
        writer.write(from, field: 3)
        writer.write(nonEmpty: to, field: 4)
    }

    /// Fields 6 to 8.
    func writeContent(into writer: inout ProtobufWriter) {
        writer.write(nonEmpty: token, field: 6)
        for item in appData { writer.write(item, field: 7) }
        writer.write(fromTrustedServer, field: 8)
    }

    /// Fields 13 to 18.
    func writeTimes(into writer: inout ProtobufWriter) {
        writer.write(nonEmpty: registrationID, field: 13)
        writer.write(deviceUserID, field: 16)
        writer.write(timeToLive, field: 17)
        writer.write(sent, field: 18)
    }

    /// Fields from 20 on.
    func writeRest(into writer: inout ProtobufWriter) {
        writer.write(status, field: 20)
        if let rawData { writer.write(bytes: rawData, field: 21) }
        writer.write(immediateAck, field: 24)
        writer.write(priority, field: 29)
    }
}

extension DataMessageStanza.AppData: MCSMessage {
    init(reading reader: inout ProtobufReader) throws(ProtobufError) {
        self.init(key: "", value: "")
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: key = try reader.readString()
            case 2: value = try reader.readString()
            default: try reader.skip()
            }
        }
    }

    func write(into writer: inout ProtobufWriter) {
        writer.write(key, field: 1)
        writer.write(value, field: 2)
    }
}
