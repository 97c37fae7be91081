import HTTP1Wire
import Testing

/// A message and what it must give.
struct Vector<Outcome: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let outcome: Outcome

    init(_ name: String, _ text: String, _ outcome: Outcome) {
        self.name = name
        self.text = text
        self.outcome = outcome
    }

    var testDescription: String { name }
}

/// What a good request is read as.
struct ReadRequest: Sendable, Equatable {
    var method = "GET"
    var target = "/"
    var authority = "h"
    var body: HTTP1BodyFraming = .none
    var content = ""
    var keepsAlive = true
    var expectsContinue = false
}

enum RequestVectors {
    static let good: [Vector<ReadRequest>] = [
        Vector("RFC 9112 §3.2.1 origin form", "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n", ReadRequest(target: "/a?b=c")),
        Vector("RFC 9112 §2.2 empty line before", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", ReadRequest()),
        Vector(
            "RFC 9112 §3.2.2 absolute form overrules Host", "GET http://a:8/p?q HTTP/1.1\r\nHost: b\r\n\r\n",
            ReadRequest(target: "/p?q", authority: "a:8")),
        Vector(
            "RFC 9112 §3.2.2 absolute form without path", "GET HTTPS://a?q HTTP/1.1\r\nHost: b\r\n\r\n",
            ReadRequest(target: "/?q", authority: "a")),
        Vector(
            "RFC 9112 §3.2.3 authority form", "CONNECT fcm.googleapis.com:443 HTTP/1.1\r\nHost: x\r\n\r\n",
            ReadRequest(
                method: "CONNECT", target: "fcm.googleapis.com:443", authority: "fcm.googleapis.com:443")),
        Vector(
            "RFC 9112 §3.2.4 asterisk form", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
            ReadRequest(method: "OPTIONS", target: "*")),
        Vector("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", ReadRequest(authority: "", keepsAlive: false)),
        Vector(
            "HTTP/1.0 keep-alive", "GET / HTTP/1.0\r\nHost: h\r\nConnection: x, Keep-Alive\r\n\r\n", ReadRequest()),
        Vector(
            "RFC 9112 §9.6 close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n",
            ReadRequest(keepsAlive: false)),
        Vector(
            "close wins over keep-alive", "GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, close\r\n\r\n",
            ReadRequest(keepsAlive: false)),
        Vector("empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", ReadRequest(authority: "")),
        Vector("IPv6 host", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", ReadRequest(authority: "[::1]:80")),
        Vector(
            "RFC 9112 §6.2 length", "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 03\r\n\r\nabc",
            ReadRequest(method: "PUT", body: .length(3), content: "abc")),
        Vector(
            "RFC 9110 §8.6 equal lengths",
            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\ncontent-length:3\r\n\r\nabc",
            ReadRequest(method: "PUT", body: .length(3), content: "abc")),
        Vector(
            "length 0", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", ReadRequest(method: "POST")),
        Vector(
            "RFC 9112 §7.1 chunked",
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n00A;x=\"y\";z\r\n0123456789\r\n0\r\n\r\n",
            ReadRequest(method: "PUT", body: .chunked, content: "ab0123456789")),
        Vector(
            "RFC 9112 §7.1.2 trailers",
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0 ; e\r\nX-T: 1\r\nY: 2\r\n\r\n",
            ReadRequest(method: "PUT", body: .chunked, content: "a")),
        Vector(
            "RFC 9110 §10.1.1 expectation",
            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\na",
            ReadRequest(method: "PUT", body: .length(1), content: "a", expectsContinue: true)),
        Vector("unknown method", "M-SEARCH / HTTP/1.1\r\nHost: h\r\n\r\n", ReadRequest(method: "M-SEARCH")),
    ]

    private static func line(_ text: String) -> String { text + "\r\nHost: h\r\n\r\n" }
    private static func field(_ text: String) -> String { "POST / HTTP/1.1\r\nHost: h\r\n" + text + "\r\n\r\n" }
    private static func chunks(_ text: String) -> String { field("Transfer-Encoding: chunked") + text }

    static let bad: [Vector<HTTP1Error>] = badStartLines + badFields + badFraming + badChunks

    private static let badStartLines: [Vector<HTTP1Error>] = [
        Vector("no version", line("GET /"), .badRequestLine),
        Vector("no target", line("GET HTTP/1.1"), .badRequestLine),
        Vector("two spaces", line("GET  / HTTP/1.1"), .badRequestLine),
        Vector("space at the start", line(" GET / HTTP/1.1"), .badRequestLine),
        Vector("space at the end", line("GET / HTTP/1.1 "), .badRequestLine),
        Vector("space in the target", line("GET /a b HTTP/1.1"), .badRequestLine),
        Vector("tab between", line("GET\t/ HTTP/1.1"), .badRequestLine),
        Vector("method is no token", line("G(T / HTTP/1.1"), .badRequestLine),
        Vector("relative target", line("GET a HTTP/1.1"), .badRequestLine),
        Vector("fragment", line("GET /a#b HTTP/1.1"), .badRequestLine),
        Vector("byte above ASCII in the target", line("GET /ä HTTP/1.1"), .badRequestLine),
        Vector("NUL in the target", line("GET /\0 HTTP/1.1"), .badRequestLine),
        Vector("asterisk for GET", line("GET * HTTP/1.1"), .badRequestLine),
        Vector("other scheme", line("GET ftp://a/ HTTP/1.1"), .badRequestLine),
        Vector("user information", line("GET http://u@a/ HTTP/1.1"), .badRequestLine),
        Vector("absolute form without host", line("GET http:///a HTTP/1.1"), .badRequestLine),
        Vector("CONNECT without port", line("CONNECT a HTTP/1.1"), .badRequestLine),
        Vector("CONNECT with port 0", line("CONNECT a:0 HTTP/1.1"), .badRequestLine),
        Vector("CONNECT with a large port", line("CONNECT a:65536 HTTP/1.1"), .badRequestLine),
        Vector("CONNECT with a path", line("CONNECT /a HTTP/1.1"), .badRequestLine),
        Vector("lower-case protocol", line("GET / http/1.1"), .badRequestLine),
        Vector("long version", line("GET / HTTP/1.10"), .badRequestLine),
        Vector("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion),
        Vector("HTTP/1.2", line("GET / HTTP/1.2"), .unsupportedVersion),
        Vector("HTTP/0.9", line("GET / HTTP/0.9"), .unsupportedVersion),
        Vector("three empty lines", "\r\n\r\n\r\n" + line("GET / HTTP/1.1"), .badRequestLine),
        Vector("TLS hello", "\u{16}\u{3}\u{1}\u{2}\0\n", .bareLineEnd),
        Vector("line feed alone", "GET / HTTP/1.1\nHost: h\n\n", .bareLineEnd),
        Vector("CR in the target", line("GET /\r HTTP/1.1"), .badRequestLine),
    ]

    private static let badFields: [Vector<HTTP1Error>] = [
        Vector("RFC 9112 §3.2 no Host", "GET / HTTP/1.1\r\n\r\n", .badHost),
        Vector("RFC 9112 §3.2 two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", .badHost),
        Vector("two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n", .badHost),
        Vector("Host with user information", "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n", .badHost),
        Vector("Host with a path", "GET / HTTP/1.1\r\nHost: h/x\r\n\r\n", .badHost),
        Vector("Host with a space", "GET / HTTP/1.1\r\nHost: h x\r\n\r\n", .badHost),
        Vector("Host beyond ASCII", "GET / HTTP/1.1\r\nHost: ä\r\n\r\n", .badHost),
        Vector("absolute form without Host", "GET http://a/ HTTP/1.1\r\n\r\n", .badHost),
        Vector("RFC 9112 §5.2 folded line", field("A: b\r\n c"), .foldedField),
        Vector("folded first line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", .foldedField),
        Vector("RFC 9112 §5.1 space before the colon", field("A : b"), .badFieldName),
        Vector("tab before the colon", field("A\t: b"), .badFieldName),
        Vector("no colon", field("A"), .badFieldName),
        Vector("no name", field(": b"), .badFieldName),
        Vector("name beyond ASCII", field("Ä: b"), .badFieldName),
        Vector("NUL in a name", field("A\0: b"), .badFieldName),
        Vector("NUL in a value", field("A: \0"), .badFieldValue),
        Vector("CR in a value", field("A: b\rc"), .badFieldValue),
        Vector("CR before the line end", field("A: b\r"), .badFieldValue),
        Vector("control character in a value", field("A: \u{1}"), .badFieldValue),
        Vector("DEL in a value", field("A: \u{7F}"), .badFieldValue),
        Vector("line feed alone in the fields", field("A: b\nC: d"), .bareLineEnd),
        Vector("unknown expectation", field("Expect: 200-ok"), .unsupportedExpectation),
    ]

    private static let badFraming: [Vector<HTTP1Error>] = [
        Vector(
            "RFC 9112 §6.3 length and coding", field("Content-Length: 3\r\nTransfer-Encoding: chunked"),
            .ambiguousLength),
        Vector("coding and length", field("Transfer-Encoding: chunked\r\nContent-Length: 3"), .ambiguousLength),
        Vector("two lengths", field("Content-Length: 3\r\nContent-Length: 4"), .ambiguousLength),
        Vector("two lengths in a line", field("Content-Length: 3, 4"), .ambiguousLength),
        Vector("negative length", field("Content-Length: -3"), .badContentLength),
        Vector("signed length", field("Content-Length: +3"), .badContentLength),
        Vector("hexadecimal length", field("Content-Length: 0x3"), .badContentLength),
        Vector("empty length", field("Content-Length:"), .badContentLength),
        Vector("length with a hole", field("Content-Length: 3,"), .badContentLength),
        Vector("length with a space", field("Content-Length: 3 4"), .badContentLength),
        Vector("length beyond 64 bits", field("Content-Length: 18446744073709551619"), .badContentLength),
        Vector("RFC 9112 §6.1 other coding", field("Transfer-Encoding: gzip"), .unsupportedTransferCoding),
        Vector("two codings", field("Transfer-Encoding: gzip, chunked"), .unsupportedTransferCoding),
        Vector("identity", field("Transfer-Encoding: identity"), .unsupportedTransferCoding),
        Vector("obfuscated chunked", field("Transfer-Encoding: xchunked"), .unsupportedTransferCoding),
        Vector("chunked with a parameter", field("Transfer-Encoding: chunked;q=1"), .unsupportedTransferCoding),
        Vector("chunked twice", field("Transfer-Encoding: chunked, chunked"), .badTransferCoding),
        Vector(
            "chunked on two lines", field("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            .badTransferCoding),
        Vector("chunked, then another", field("Transfer-Encoding: chunked, gzip"), .badTransferCoding),
        Vector("empty coding", field("Transfer-Encoding:"), .badTransferCoding),
        Vector(
            "chunked in HTTP/1.0", "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
            .badTransferCoding),
    ]

    private static let badChunks: [Vector<HTTP1Error>] = [
        Vector("no chunk size", chunks("\r\n"), .badChunk),
        Vector("chunk size is no number", chunks("x\r\n"), .badChunk),
        Vector("negative chunk size", chunks("-1\r\n"), .badChunk),
        Vector("chunk size with a prefix", chunks("0x1\r\na\r\n"), .badChunk),
        Vector("chunk size with white space", chunks("1 \r\na\r\n"), .badChunk),
        Vector("chunk size beyond its digits", chunks("0000000000001\r\na\r\n"), .badChunk),
        Vector("chunk longer than its size", chunks("1\r\nab\r\n"), .badChunk),
        Vector("chunk ends with line feed", chunks("1\r\na\n"), .badChunk),
        Vector("chunk size ends with line feed", chunks("1\na\r\n"), .bareLineEnd),
        Vector("control character in an extension", chunks("1;\u{1}\r\na\r\n"), .badChunk),
        Vector("CR in an extension", chunks("1;\r\r\na\r\n"), .badChunk),
        Vector("folded trailer", chunks("0\r\nA: b\r\n c\r\n\r\n"), .foldedField),
        Vector("bad trailer", chunks("0\r\nA b\r\n\r\n"), .badFieldName),
        Vector("length in a trailer that is none", chunks("0\r\nContent-Length: x\r\n\r\n"), .badContentLength),
    ]
}
