internal import HTTPSemantics

/// The header block that is arriving; on a connection there is at most one at a time (RFC 9113 §4.3).
struct IncomingHeaderBlock {
    private(set) var method = ""
    private(set) var path = ""
    private(set) var authority = ""
    private(set) var status = 0
    private(set) var fields = HTTPFields()
    private(set) var rawFields: [HTTP2Field] = []
    /// Uncompressed bytes as RFC 9113 §6.5.2 counts them.
    private(set) var listBytes = 0
    var blockBytes = 0

    mutating func append(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, neverIndexed: Bool, limit: Int,
        recordsRawFields: Bool
    ) {
        listBytes += name.count + value.count + 32
        guard listBytes <= limit else { return }
        let nameText = String(decoding: name, as: UTF8.self)
        let valueText = String(decoding: value, as: UTF8.self)
        if recordsRawFields {
            rawFields.append(HTTP2Field(nameText, valueText, indexing: neverIndexed ? .never : .automatic))
        }
        guard name.first == UInt8(ascii: ":") else { return appendRegular(nameText, valueText) }
        switch nameText {
        case ":method": method = valueText
        case ":path": path = valueText
        case ":authority": authority = valueText
        case ":status": status = Int(valueText) ?? 0
        default: break
        }
    }

    /// As `append` for an answer of which only the status is wanted.
    mutating func note(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, limit: Int) {
        listBytes += name.count + value.count + 32
        guard listBytes <= limit, name.count == 7, name.first == UInt8(ascii: ":"), value.count == 3 else { return }
        var number = 0
        for byte in value {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        status = number
    }

    /// Cookie lines are joined again, as RFC 9113 §8.2.3 wants it outside HTTP/2.
    private mutating func appendRegular(_ name: String, _ value: String) {
        guard name == "cookie", let earlier = fields[name] else { return fields.append(name, value) }
        fields[name] = earlier + "; " + value
    }

    /// The request; the target of CONNECT, which has no path, is its authority.
    var requestHead: HTTPRequestHead {
        let authority = authority.isEmpty ? fields["host"] ?? "" : authority
        return HTTPRequestHead(
            method: method, target: path.isEmpty ? authority : path, authority: authority, fields: fields,
            version: .http2)
    }
}
