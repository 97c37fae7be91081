import JSON
import PushModel

/// Writes the payload of a push: the sender's members in their order, then what the service adds.
enum ApplePayload {
    /// Renders everything but the FID, which differs from device to device.
    ///
    /// - Returns: JSON without the closing brace.
    static func render(_ message: ValidatedMessage, aps: JSONObject) throws(SendError) -> [UInt8] {
        let given = message.message.apns?.payload ?? JSONObject()
        let additions = additions(to: message)
        var writer = JSONWriter(reservingBytes: 1024)
        writer.beginObject()
        if given["aps"] == nil { writer.member("aps", .object(aps)) }
        for member in given where !additions.contains(where: { $0.key == member.name }) {
            writer.member(member.name, value(of: member, in: message.message, aps: aps))
        }
        let image = ApsContent.image(of: message.message)
        if given[Key.options] == nil, let image { writer.member(Key.options, ["image": .string(image)]) }
        for addition in additions where addition.key == Key.messageLabel {
            writer.member(addition.key, addition.value)
        }
        try write(message.message.data, unlessIn: given, hasImage: image != nil, with: &writer)
        for addition in additions where addition.key != Key.messageLabel {
            writer.member(addition.key, addition.value)
        }
        return writer.bytes
    }

    /// Names that the app's SDK reads. It refuses numbers for some of them, so all values are strings.
    private enum Key {
        static let messageLabel = "google.c.a.m_l"
        static let messageID = "gcm.message_id"
        static let analyticsSwitch = "google.c.a.e"
        static let senderID = "google.c.sender.id"
        static let installation = "google.c.fid"
        static let from = "from"
        static let options = "fcm_options"
    }

    /// What the service says in every push; a sender's member of the same name gives way.
    private static func additions(to message: ValidatedMessage) -> [Message.DataEntry] {
        var additions: [Message.DataEntry] = []
        if let label = message.message.apns?.analyticsLabel ?? message.message.analyticsLabel {
            additions.append(.init(key: Key.messageLabel, value: label.text))
        }
        if case .topic(let name) = message.target {
            additions.append(.init(key: Key.from, value: "/topics/\(name)"))
        }
        additions.append(.init(key: Key.messageID, value: message.id.description))
        additions.append(.init(key: Key.analyticsSwitch, value: "1"))
        additions += message.message.campaign?.entries ?? []
        additions.append(.init(key: Key.senderID, value: message.project.number.description))
        return additions
    }

    private static func value(of member: JSONObject.Member, in message: Message, aps: JSONObject) -> JSONValue {
        switch member.name {
        case "aps": return .object(aps)
        case Key.options:
            guard let image = ApsContent.image(of: message) else { return member.value }
            var options = member.value.object ?? JSONObject()
            if options["image"] == nil { options["image"] = .string(image) }
            return .object(options)
        default: return member.value
        }
    }

    private static func write(
        _ data: [Message.DataEntry], unlessIn given: JSONObject, hasImage: Bool, with writer: inout JSONWriter
    ) throws(SendError) {
        for entry in data {
            guard !isReserved(entry.key) else {
                let text = "Invalid data payload key: \(entry.key)"
                throw SendError(
                    .reservedDataKey, text, violations: [.init(field: "message.data", description: text)])
            }
            // The image has written its member already.
            guard given[entry.key] == nil, !hasImage || entry.key != Key.options else { continue }
            writer.member(entry.key, entry.value)
        }
    }

    /// `aps` would replace Apple's dictionary.
    private static func isReserved(_ key: String) -> Bool {
        key == "aps" || DataKeyRules.isReserved(key)
    }

    /// Completes what `render` began.
    static func complete(_ start: [UInt8], fid: String) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(start.count + fid.utf8.count + 24)
        payload += start
        if !fid.isEmpty {
            payload += ",\"\(Key.installation)\":".utf8
            JSONText.append(fid, to: &payload)
        }
        payload.append(UInt8(ascii: "}"))
        return payload
    }
}
