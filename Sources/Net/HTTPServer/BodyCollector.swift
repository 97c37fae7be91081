import Compression
import HTTPSemantics

/// Collects the body of one request within the handler's limit, and undoes its compression.
struct BodyCollector {
    /// Bytes that the containers of an incompressible body add to it.
    private static let containerBytes = 1_024

    private let limit: Int
    private let format: CompressionFormat?
    private(set) var bytes: [UInt8] = []

    /// - Throws: 413 when the announced length is beyond the limit, 415 for an encoding that is not known here.
    init(_ head: HTTPRequestHead, limit: Int, announcedBytes: Int?) throws(RequestRefusal) {
        self.limit = max(0, limit)
        format = try Self.format(head.fields.listMembers(of: "content-encoding"))
        if let announcedBytes, announcedBytes > maximumWireBytes { throw .bodyTooLarge }
    }

    /// Encoded bytes that can still make an acceptable body.
    private var maximumWireBytes: Int {
        format == nil ? limit : limit.addingReportingOverflow(Self.containerBytes).partialValue
    }

    private static func format(_ codings: [String]) throws(RequestRefusal) -> CompressionFormat? {
        switch codings.filter({ $0 != "identity" }) {
        case []: nil
        case ["gzip"], ["x-gzip"]: .gzip
        case ["deflate"]: .zlib
        // Encrypted from end to end for somebody else (RFC 8188): the body and the field go on as they came.
        case ["aes128gcm"], ["aesgcm"]: nil
        default: throw .unsupportedEncoding
        }
    }

    mutating func append(_ more: [UInt8]) throws(RequestRefusal) {
        guard more.count <= maximumWireBytes - bytes.count else { throw .bodyTooLarge }
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }

    /// The request as a handler sees it: decoded, without the fields that describe the encoding.
    func request(_ head: HTTPRequestHead, peerAddress: String) throws(RequestRefusal) -> HTTPRequest {
        guard let format else { return HTTPRequest(head: head, body: bytes, peerAddress: peerAddress) }
        var head = head
        head.fields["content-encoding"] = nil
        head.fields["content-length"] = nil
        do throws(CompressionError) {
            let body = try Inflation.inflate(bytes, format: format, maximumBytes: limit)
            return HTTPRequest(head: head, body: body, peerAddress: peerAddress)
        } catch .tooLarge {
            throw .bodyTooLarge
        } catch {
            throw .badEncoding
        }
    }
}

/// Why the server itself answers a request.
enum RequestRefusal: Error {
    case bodyTooLarge, unsupportedEncoding, badEncoding, tunnelsUnsupported, overloaded, timedOut, truncated

    /// Source: RFC 9110 §15.
    var status: Int {
        switch self {
        case .badEncoding, .truncated: 400
        case .timedOut: 408
        case .bodyTooLarge: 413
        case .unsupportedEncoding: 415
        case .tunnelsUnsupported: 501
        case .overloaded: 503
        }
    }
}
