/// A version as apps write it, taken apart for comparison: numbers by their value, other text letter by letter, and a
/// number before any text. `2.1` and `2.1.0` are equal; `2.1-beta` comes before `2.1`.
public struct AppVersion: Comparable, Sendable {
    private enum Part: Sendable {
        case text(String)
        case number(UInt64)
    }

    private static let maximumParts = 32

    private let parts: [Part]

    public init(_ text: some StringProtocol) {
        var parts: [Part] = []
        var rest = text.utf8.prefix(256)
        while let first = rest.first, parts.count < Self.maximumParts {
            let isNumber = first.isDigit
            let run = rest.prefix { isNumber ? $0.isDigit : !$0.isDigit && !Self.separates($0) }
            if run.isEmpty {
                rest = rest.dropFirst()
                continue
            }
            let word = String(decoding: run, as: UTF8.self)
            parts.append(isNumber ? .number(UInt64(word) ?? .max) : .text(word.lowercased()))
            rest = rest.dropFirst(run.count)
        }
        self.parts = parts
    }

    private static func separates(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: " "),
            UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    public static func == (left: Self, right: Self) -> Bool { left.order(to: right) == 0 }
    public static func < (left: Self, right: Self) -> Bool { left.order(to: right) < 0 }

    private func order(to other: Self) -> Int {
        for place in 0..<max(parts.count, other.parts.count) {
            let left = parts.indices.contains(place) ? parts[place] : .number(0)
            let right = other.parts.indices.contains(place) ? other.parts[place] : .number(0)
            let order = Self.order(left, right)
            if order != 0 { return order }
        }
        return 0
    }

    private static func order(_ left: Part, _ right: Part) -> Int {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text(let left), .text(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.text, .number): -1
        case (.number, .text): 1
        }
    }
}
