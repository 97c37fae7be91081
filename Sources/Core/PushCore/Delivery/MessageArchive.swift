import JSON
public import PushModel

/// Messages as the stores keep them: compact JSON, the common members under the names of FCM HTTP v1.
///
/// What is absent stays absent, and what the sender gave as JSON (an APNs payload, a notification for Android or a
/// browser) comes back as it was.
public enum MessageArchive {
    /// Depth and size of an archive that this program wrote are bounded by the rules of `Message`; the bounds here
    /// only keep a damaged one from costing more.
    private static let options = JSONOptions(maximumDepth: 1000, maximumBytes: 64 << 20)

    /// - Parameter target: Of a list of tokens only that it was one is kept: the deliveries know to whom they go.
    public static func encode(_ message: Message, target: SendTarget) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 512)
        writer.beginObject()
        writer.key("target")
        writer.write(target)
        writer.writeMembers(of: message)
        writer.endObject()
        return writer.bytes
    }

    /// `nil` when the bytes are not an archive.
    public static func decode(_ bytes: [UInt8]) -> (message: Message, target: SendTarget)? {
        guard let archive = (try? JSONValue(parsing: bytes, options: options))?.object,
            let target = archive["target"].flatMap({ SendTarget(archived: $0) }),
            let message = Message(archived: archive)
        else { return nil }
        return (message, target)
    }
}
