internal import HTTP1Wire
internal import HTTPSemantics

/// Takes `multipart/mixed` bodies apart and puts them together. Source: RFC 2046 §5.1.
///
/// Lines may end without CR: Python's email package writes such bodies.
public enum MultipartMixed {
    public static func parse(
        _ body: [UInt8], boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartError) -> [MultipartPart] {
        var parts: [MultipartPart] = []
        for range in try partRanges(body, boundary: boundary, limits: limits) {
            parts.append(try part(body[range], number: parts.count, limits: limits))
        }
        return parts
    }

    public static func serialize(_ parts: [MultipartPart], boundary: MultipartBoundary) -> [UInt8] {
        var output: [UInt8] = []
        for part in parts {
            output += "--\(boundary.text)\r\n".utf8
            HTTP1Serializer.writeFields(part.fields, into: &output)
            output += "\r\n".utf8
            output += part.body
            output += "\r\n".utf8
        }
        output += "--\(boundary.text)--\r\n".utf8
        return output
    }

    /// Where the parts lie between the delimiter lines; what comes before and after is ignored.
    private static func partRanges(
        _ body: [UInt8], boundary: MultipartBoundary, limits: MultipartLimits
    ) throws(MultipartError) -> [Range<Int>] {
        let delimiter = Array("--\(boundary.text)".utf8)
        var ranges: [Range<Int>] = []
        var partStart: Int?
        var lineStart = 0
        while lineStart < body.count {
            let lineEnd = body[lineStart...].firstIndex(of: 0x0A) ?? body.count
            if let kind = DelimiterLine(body[lineStart..<lineEnd], delimiter: delimiter) {
                if let start = partStart {
                    guard ranges.count < limits.parts else { throw .tooManyParts(maximum: limits.parts) }
                    let end = max(start, endOfPart(before: lineStart, in: body))
                    guard end - start <= limits.partBytes else { throw .partTooLarge(maximumBytes: limits.partBytes) }
                    ranges.append(start..<end)
                }
                if kind == .closing { return ranges }
                partStart = min(lineEnd + 1, body.count)
            }
            lineStart = lineEnd + 1
        }
        throw .unterminated
    }

    /// The line end before a delimiter belongs to the delimiter.
    private static func endOfPart(before delimiter: Int, in body: [UInt8]) -> Int {
        let end = delimiter - 1
        return end > 0 && body[end - 1] == 0x0D ? end - 1 : end
    }

    private static func part(
        _ bytes: ArraySlice<UInt8>, number: Int, limits: MultipartLimits
    ) throws(MultipartError) -> MultipartPart {
        var fieldLimits = HTTP1Limits()
        fieldLimits.headerSectionBytes = limits.partHeadBytes
        do throws(HTTP1Error) {
            let (fields, end) = try HTTP1FieldLines.parse(bytes, limits: fieldLimits)
            return MultipartPart(fields: fields, body: Array(bytes[end...]))
        } catch {
            throw .badPartFields(part: number)
        }
    }
}

/// A line that begins a part or closes the body.
private enum DelimiterLine {
    case opening, closing

    /// - Parameter line: Without its line feed; white space at its end is ignored.
    init?(_ line: ArraySlice<UInt8>, delimiter: [UInt8]) {
        guard line.starts(with: delimiter) else { return nil }
        var rest = line.dropFirst(delimiter.count)
        while let last = rest.last, last == 0x20 || last == 0x09 || last == 0x0D { rest.removeLast() }
        switch rest.count {
        case 0: self = .opening
        case 2 where rest.elementsEqual("--".utf8): self = .closing
        default: return nil
        }
    }
}
