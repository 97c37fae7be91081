import HTTPSemantics
import MultipartWire

/// libFuzzer calls this with every input it invents; a trap or a failed check is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Any body is taken apart or refused, within its limits; any content type has a boundary or none.
private func check(_ input: [UInt8]) {
    _ = try? MultipartBoundary(contentType: String(decoding: input.prefix(200), as: UTF8.self))
    var limits = MultipartLimits()
    limits.parts = 5
    limits.partBytes = 1_000
    guard let items = try? BatchRequest.parse(input, contentType: "multipart/mixed; boundary=b", limits: limits) else {
        return
    }
    precondition(items.count <= 5, "more parts than allowed")
    guard let boundary = MultipartBoundary("batch") else { return }
    let answers = items.map { BatchAnswer(contentID: $0.contentID, response: HTTPResponse(status: 200)) }
    let response = BatchResponse.make(answers, boundary: boundary)
    let parts = try? MultipartMixed.parse(response.body, boundary: boundary)
    precondition(items.isEmpty || parts?.count == items.count, "the answer has other parts than the request")
}
