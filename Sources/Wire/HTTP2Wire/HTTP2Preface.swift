/// Tells an HTTP/2 connection from an HTTP/1 one on clear text by its first bytes. Source: RFC 9113 §3.4.
public enum HTTP2Preface {
    public static let bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    public enum Match: Sendable, Equatable {
        case matches, needsMoreBytes, differs
    }

    public static func match(_ received: UnsafeRawBufferPointer) -> Match {
        guard received.elementsEqual(bytes.prefix(received.count).prefix(bytes.count)) || received.count >= bytes.count
        else { return .differs }
        guard received.count >= bytes.count else { return .needsMoreBytes }
        return received.prefix(bytes.count).elementsEqual(bytes) ? .matches : .differs
    }
}
