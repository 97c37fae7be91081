internal import HTTPSemantics

/// Version and status; the reason is ignored. Source: RFC 9112 §4.
struct StatusLine: Sendable {
    var version: HTTPRequestHead.Version
    var status: Int

    init(_ line: UnsafeBufferPointer<UInt8>) throws(HTTP1Error) {
        guard line.count >= 12, line[8] == ASCII.space, line.count == 12 || line[12] == ASCII.space,
            line.slice(9..<12).allSatisfy(ASCII.isDigit), ASCII.isFieldValue(line)
        else { throw .badStatusLine }
        do throws(HTTP1Error) {
            version = try RequestLine.version(line.slice(0..<8))
        } catch {
            throw error == .unsupportedVersion ? error : .badStatusLine
        }
        status = line.slice(9..<12).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { throw .badStatusLine }
    }
}
