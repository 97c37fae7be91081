import JSON

/// The JSON of an error answer, and of the debug data of GOAWAY.
enum ErrorBody {
    /// - Parameter timestampMilliseconds: Since 1970; only 410 has it.
    static func text(reason: String, timestampMilliseconds: Int64?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("reason", reason)
        if let timestampMilliseconds { writer.member("timestamp", timestampMilliseconds) }
        writer.endObject()
        return writer.bytes
    }
}
