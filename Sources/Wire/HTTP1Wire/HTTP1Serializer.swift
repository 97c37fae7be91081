public import HTTPSemantics

/// Writes messages. A CR, LF or NUL in a name or value goes out as a space, so no value can begin a new line.
public enum HTTP1Serializer {
    /// Writes a whole answer, with `content-length`, `date` and the connection field.
    ///
    /// - Parameters:
    ///   - request: Decides about body (none for HEAD) and connection field (HTTP/1.0).
    ///   - date: An IMF-fixdate (RFC 9110 §5.6.7); empty leaves the field out.
    public static func write(
        _ response: HTTPResponse, to request: HTTPRequestHead, keepsAlive: Bool, date: String = "",
        into output: inout [UInt8]
    ) {
        writeStatusLine(response.status, into: &output)
        writeFields(response.fields, into: &output)
        if !date.isEmpty { writeField("date", date, into: &output) }
        if !keepsAlive {
            output += "connection: close\r\n".utf8
        } else if request.version == .http10 {
            output += "connection: keep-alive\r\n".utf8
        }
        guard response.status != 204, response.status >= 200 else {
            output += "\r\n".utf8
            return
        }
        if response.status != 304 { writeField("content-length", String(response.body.count), into: &output) }
        output += "\r\n".utf8
        if request.method != "HEAD", response.status != 304 { output += response.body }
    }

    /// Writes the head of an answer as given: framing fields are the caller's.
    public static func writeHead(status: Int, fields: HTTPFields, into output: inout [UInt8]) {
        writeStatusLine(status, into: &output)
        writeFields(fields, into: &output)
        output += "\r\n".utf8
    }

    /// Writes the answer to an expectation (RFC 9110 §15.2.1).
    public static func writeContinue(into output: inout [UInt8]) {
        output += "HTTP/1.1 100 Continue\r\n\r\n".utf8
    }

    /// Writes a request. `host` is added from `authority`, and `content-length` when there is a body or the method
    /// implies one, unless the fields have them.
    ///
    /// - Parameter target: Overrides the head's, as the absolute form for a proxy does.
    public static func write(_ request: HTTPRequest, target: String? = nil, into output: inout [UInt8]) {
        let head = request.head
        appendText(head.method, into: &output, replacing: isLineBreakOrSpace, with: UInt8(ascii: "_"))
        output.append(ASCII.space)
        appendText(target ?? head.target, into: &output, replacing: isLineBreakOrSpace, with: UInt8(ascii: "_"))
        output += " HTTP/1.1\r\n".utf8
        if head.fields["host"] == nil { writeField("host", head.authority, into: &output) }
        writeFields(head.fields, into: &output)
        let impliesBody = head.method == "POST" || head.method == "PUT" || head.method == "PATCH"
        if head.fields["content-length"] == nil, impliesBody || !request.body.isEmpty {
            writeField("content-length", String(request.body.count), into: &output)
        }
        output += "\r\n".utf8
        output += request.body
    }

    /// Writes one chunk of a chunked body; an empty one is left out, since it would end the body.
    public static func writeChunk(_ bytes: some Collection<UInt8>, into output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output += String(bytes.count, radix: 16).utf8
        output += "\r\n".utf8
        output += bytes
        output += "\r\n".utf8
    }

    /// Ends a chunked body.
    public static func writeLastChunk(into output: inout [UInt8]) {
        output += "0\r\n\r\n".utf8
    }

    private static func writeStatusLine(_ status: Int, into output: inout [UInt8]) {
        output += "HTTP/1.1 ".utf8
        output += String(status).utf8
        output.append(ASCII.space)
        output += ReasonPhrase.of(status).utf8
        output += "\r\n".utf8
    }

    /// Writes field lines without the empty one that ends a section.
    public static func writeFields(_ fields: HTTPFields, into output: inout [UInt8]) {
        for line in fields.lines { writeField(line.name, line.value, into: &output) }
    }

    private static func writeField(_ name: String, _ value: String, into output: inout [UInt8]) {
        appendText(name, into: &output, replacing: isLineBreak)
        output += ": ".utf8
        appendText(value, into: &output, replacing: isLineBreak)
        output += "\r\n".utf8
    }

    private static func appendText(
        _ text: String, into output: inout [UInt8], replacing isBad: (UInt8) -> Bool,
        with replacement: UInt8 = ASCII.space
    ) {
        let start = output.count
        output += text.utf8
        for index in start..<output.count where isBad(output[index]) { output[index] = replacement }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == ASCII.carriageReturn || byte == ASCII.lineFeed || byte == 0
    }

    private static func isLineBreakOrSpace(_ byte: UInt8) -> Bool { isLineBreak(byte) || byte == ASCII.space }
}
