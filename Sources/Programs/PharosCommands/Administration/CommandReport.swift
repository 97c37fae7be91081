import JSON

/// What a command says when it has done its work: to a person, and to a machine with `--json`.
struct CommandReport: Sendable, Equatable {
    var text: String
    var json: JSONValue

    /// Lines of columns, each as wide as its widest cell. The first row is the heading.
    static func table(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        let lines = rows.map { row in
            row.enumerated().map { place, cell in
                place == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[place] - cell.count + 2)
            }.joined()
        }
        return lines.joined(separator: "\n")
    }

    func show(asJSON: Bool) {
        StandardStreams.printLine(asJSON ? json.text : text)
    }
}
