internal import HTTPSemantics

/// Decides what a whole header section means: host, body, connection, expectation.
struct RequestFraming {
    let start: HTTP1RequestStart

    init(_ line: RequestLine, _ section: FieldSection, hostIsOptional: Bool) throws(HTTP1Error) {
        let authority = try Self.authority(line, section, isOptional: hostIsOptional)
        let head = HTTPRequestHead(
            method: line.method, target: line.target, authority: authority, fields: section.fields,
            version: line.version)
        start = HTTP1RequestStart(
            head: head, body: try Self.body(line, section), keepsAlive: Self.keepsAlive(line, section),
            expectsContinue: try Self.expectsContinue(line, section))
    }

    private static func authority(
        _ line: RequestLine, _ section: FieldSection, isOptional: Bool
    ) throws(HTTP1Error) -> String {
        let host = section.hostLines == 0 ? nil : section.fields["host"]
        guard section.hostLines <= 1, host != nil || line.version == .http10 || isOptional else { throw .badHost }
        guard let host else { return line.authority ?? "" }
        guard host.utf8.withContiguousStorageIfAvailable(ASCII.isAuthority) ?? false else { throw .badHost }
        return line.authority ?? host
    }

    private static func body(_ line: RequestLine, _ section: FieldSection) throws(HTTP1Error) -> HTTP1BodyFraming {
        switch section.transferCoding {
        case .none: return section.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
        case .chunked, .unsupported:
            guard section.contentLength == nil else { throw .ambiguousLength }
            guard line.version == .http11 else { throw .badTransferCoding }
            guard section.transferCoding == .chunked else { throw .unsupportedTransferCoding }
            return .chunked
        }
    }

    private static func keepsAlive(_ line: RequestLine, _ section: FieldSection) -> Bool {
        let options = section.connectionOptions
        return !options.close && (line.version == .http11 || options.keepAlive)
    }

    private static func expectsContinue(_ line: RequestLine, _ section: FieldSection) throws(HTTP1Error) -> Bool {
        guard let expectation = section.fields["expect"], line.version == .http11 else { return false }
        guard expectation.lowercased() == "100-continue" else { throw .unsupportedExpectation }
        return true
    }
}
