/// The header fields of a message, in the order of the wire. Names are lower case.
///
/// Source: RFC 9110 §5; the lower-case form is the one that HTTP/2 requires (RFC 9113 §8.2).
public struct HTTPFields: Sendable, Equatable {
    /// One field line.
    public struct Line: Sendable, Equatable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var lines: [Line] = []

    public init() {}

    /// - Parameter lines: Pairs of a lower-case name and a value.
    public init(_ lines: [(String, String)]) {
        self.lines = lines.map { Line(name: $0.0, value: $0.1) }
    }

    /// The first value of the field, or `nil`. Setting replaces all lines of that name; `nil` removes them.
    public subscript(name: String) -> String? {
        get { lines.first { $0.name == name }?.value }
        set {
            lines.removeAll { $0.name == name }
            if let newValue { append(name, newValue) }
        }
    }

    /// Adds a line after the others, also when one of that name exists.
    public mutating func append(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: value))
    }

    /// Makes room for lines that are about to be added.
    public mutating func reserveCapacity(_ count: Int) {
        lines.reserveCapacity(count)
    }

    /// All values of a field, in order.
    public func values(of name: String) -> [String] {
        lines.filter { $0.name == name }.map(\.value)
    }

    /// The members of a comma-separated list field over all its lines, without surrounding white space, lower case.
    public func listMembers(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.split(separator: ",").map { $0.trimmingSpaces().lowercased() }.filter { !$0.isEmpty }
        }
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at both ends (optional white space of RFC 9110 §5.6.3).
    public func trimmingSpaces() -> String {
        let kept = drop { $0 == " " || $0 == "\t" }
        guard let last = kept.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(kept[...last])
    }
}
