extension JSONValue {
    /// Compact JSON.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    /// Compact JSON as text.
    public var text: String {
        String(decoding: encoded, as: UTF8.self)
    }

    /// Appends compact JSON.
    public func append(to output: inout [UInt8]) {
        append(to: &output, style: nil, level: 0)
    }

    /// JSON with a line per member, indented by two spaces a level, ending with a newline.
    public var prettyPrinted: [UInt8] {
        var output: [UInt8] = []
        append(to: &output, style: IndentedLines(), level: 0)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private func append(to output: inout [UInt8], style: IndentedLines?, level: Int) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let value): output.append(contentsOf: value.literal.utf8)
        case .string(let value): JSONText.append(value, to: &output)
        case .array(let elements): append(elements, to: &output, style: style, level: level)
        case .object(let object): append(object, to: &output, style: style, level: level)
        }
    }

    private func append(_ elements: [JSONValue], to output: inout [UInt8], style: IndentedLines?, level: Int) {
        output.append(UInt8(ascii: "["))
        for (place, element) in elements.enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            style?.startLine(in: &output, level: level + 1)
            element.append(to: &output, style: style, level: level + 1)
        }
        if !elements.isEmpty { style?.startLine(in: &output, level: level) }
        output.append(UInt8(ascii: "]"))
    }

    private func append(_ object: JSONObject, to output: inout [UInt8], style: IndentedLines?, level: Int) {
        output.append(UInt8(ascii: "{"))
        for (place, member) in object.members.enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            style?.startLine(in: &output, level: level + 1)
            JSONText.append(member.name, to: &output)
            output.append(UInt8(ascii: ":"))
            if style != nil { output.append(UInt8(ascii: " ")) }
            member.value.append(to: &output, style: style, level: level + 1)
        }
        if !object.isEmpty { style?.startLine(in: &output, level: level) }
        output.append(UInt8(ascii: "}"))
    }
}

extension JSONObject {
    /// Compact JSON.
    public var encoded: [UInt8] {
        JSONValue.object(self).encoded
    }
}

/// Where the lines of pretty-printed JSON start.
private struct IndentedLines {
    func startLine(in output: inout [UInt8], level: Int) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
    }
}
