import ProtobufWire

extension MessageEvent {
    private static let iOS: Int64 = 2

    /// `MessagingClientEventExtension`.
    var encoded: [UInt8] {
        var event = ProtobufWriter()
        event.write(projectNumber, field: 1)
        event.write(messageID, field: 2)
        event.write(installationID, field: 3)
        event.write(messageType.rawValue, field: 4)
        event.write(Self.iOS, field: 5)
        event.write(packageName, field: 6)
        if let topic { event.write(topic, field: 10) }
        event.write(kind.rawValue, field: 12)
        if let analyticsLabel { event.write(analyticsLabel, field: 13) }
        if let campaignID { event.write(campaignID, field: 14) }
        if let composerLabel { event.write(composerLabel, field: 15) }
        var wrapper = ProtobufWriter()
        wrapper.write(message: event, field: 1)
        return wrapper.bytes
    }
}
