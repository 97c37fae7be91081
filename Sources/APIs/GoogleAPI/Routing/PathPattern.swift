/// The shape of a path: `/v1/projects/{project}/messages:send`.
///
/// A segment is literal, or `{name}` for any text that is not empty, or `{name}:verb` for such a text before a verb; the
/// last one may be `{name...}` for all that is left. `[/]` at the end allows a slash there.
public struct PathPattern: Sendable, Equatable, ExpressibleByStringLiteral {
    enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter
        case verb(String)
        case rest
    }

    /// The pattern as it was written.
    public let text: String
    let segments: [Segment]
    let parameterNames: [String]
    let allowsTrailingSlash: Bool

    /// - Parameter text: Written in the source. A malformed one is a fault of the program.
    public init(_ text: String) {
        self.text = text
        allowsTrailingSlash = text.hasSuffix("[/]")
        let path = allowsTrailingSlash ? text.dropLast(3) : text[...]
        precondition(path.hasPrefix("/"), "a path pattern starts with a slash: \(text)")
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let read = parts.map(Self.read)
        segments = read.map(\.segment)
        parameterNames = read.compactMap(\.name)
        precondition(!segments.dropLast().contains(.rest), "only the last segment takes the rest: \(text)")
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// The path itself when it has no parameters.
    var exactPath: String? {
        parameterNames.isEmpty ? String(allowsTrailingSlash ? text.dropLast(3) : text[...]) : nil
    }

    private static func read(_ part: Substring) -> (segment: Segment, name: String?) {
        guard part.first == "{", let end = part.firstIndex(of: "}") else { return (.literal(String(part)), nil) }
        let name = part[..<end].dropFirst()
        let tail = part[end...].dropFirst()
        if name.hasSuffix("...") { return (.rest, String(name.dropLast(3))) }
        guard !tail.isEmpty else { return (.parameter, String(name)) }
        precondition(tail.first == ":", "a parameter ends its segment or stands before a verb: \(part)")
        return (.verb(String(tail.dropFirst())), String(name))
    }
}
