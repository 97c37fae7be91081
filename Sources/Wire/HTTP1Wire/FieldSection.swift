internal import HTTPSemantics

/// The field lines of one message, with what they say about its framing. Source: RFC 9112 §5, §6.
struct FieldSection: Sendable {
    enum TransferCoding { case none, chunked, unsupported }

    private(set) var fields = HTTPFields()
    private(set) var contentLength: Int?
    private(set) var transferCoding = TransferCoding.none
    private(set) var hostLines = 0
    private(set) var connectionOptions: (close: Bool, keepAlive: Bool) = (false, false)
    private(set) var bytes = 0
    private var lines = 0

    init() {
        fields.reserveCapacity(12)
    }

    /// Reads one line without its end.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>, limits: HTTP1Limits) throws(HTTP1Error) {
        bytes += line.count + 2
        lines += 1
        guard bytes <= limits.headerSectionBytes else { throw .headerSectionTooLarge }
        guard lines <= limits.fieldLines else { throw .tooManyFields }
        guard let first = line.first, first != ASCII.space, first != ASCII.tab else { throw .foldedField }
        guard let colon = UInt8(ascii: ":").firstIndex(in: line), colon > 0 else { throw .badFieldName }
        let value = line.slice(colon + 1..<line.count).trimmed
        guard ASCII.isFieldValue(value) else { throw .badFieldValue }
        let name = try Self.name(line.slice(0..<colon))
        try note(name, value)
        fields.append(name, value.text)
    }

    /// A token in lower case.
    private static func name(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) -> String {
        var isToken = false
        let name = String(unsafeUninitializedCapacity: bytes.count) { text in
            isToken = ASCII.copyToken(bytes, to: text)
            return isToken ? bytes.count : 0
        }
        guard isToken else { throw .badFieldName }
        return name
    }

    private mutating func note(_ name: String, _ value: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        switch name.utf8.count {
        case 4 where name == "host": hostLines += 1
        case 10 where name == "connection": try noteConnection(value)
        case 14 where name == "content-length": try noteContentLength(value)
        case 17 where name == "transfer-encoding": try noteTransferCoding(value)
        default: break
        }
    }

    private mutating func noteConnection(_ value: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        try value.forEachMember { (option) throws(HTTP1Error) in
            if option.spells("close") { connectionOptions.close = true }
            if option.spells("keep-alive") { connectionOptions.keepAlive = true }
        }
    }

    /// A list of equal lengths counts as one (RFC 9110 §8.6).
    private mutating func noteContentLength(_ value: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        try value.forEachMember { (digits) throws(HTTP1Error) in
            guard (1...18).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { throw .badContentLength }
            let length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            guard contentLength == nil || contentLength == length else { throw .ambiguousLength }
            contentLength = length
        }
    }

    private mutating func noteTransferCoding(_ value: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        try value.forEachMember { (coding) throws(HTTP1Error) in
            guard !coding.isEmpty, transferCoding != .chunked else { throw .badTransferCoding }
            transferCoding = coding.spells("chunked") && transferCoding == .none ? .chunked : .unsupported
        }
    }
}
