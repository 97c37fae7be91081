import Testing

/// A row of a table, by name in the test report.
struct Row<Content: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let content: Content

    init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }

    var testDescription: String { name }
}
