public import HTTPSemantics

/// Reads field lines outside a message: the head of a multipart body part (RFC 2046 §5.1).
public enum HTTP1FieldLines {
    /// Reads lines up to the first empty one. Lines may end without CR.
    ///
    /// - Returns: The fields, and where the bytes after the empty line begin.
    /// - Throws: `truncated` when there is no empty line.
    public static func parse(
        _ bytes: ArraySlice<UInt8>, limits: HTTP1Limits = HTTP1Limits()
    ) throws(HTTP1Error) -> (fields: HTTPFields, end: Int) {
        var queue = ByteQueue()
        bytes.withUnsafeBytes { queue.append($0) }
        var section = FieldSection()
        while case .whole(let range) = try queue.nextLine(allowsBareLineFeed: true) {
            guard !range.isEmpty else {
                queue.consumeLine()
                return (section.fields, bytes.endIndex - queue.count)
            }
            try queue.withLine(range) { (line) throws(HTTP1Error) in try section.read(line, limits: limits) }
            queue.consumeLine()
        }
        throw .truncated
    }
}
