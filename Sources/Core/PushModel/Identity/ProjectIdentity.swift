/// The text id of a project: `[a-z][a-z0-9-]{4,28}[a-z0-9]`. `demo-` projects never leave the machine.
public struct ProjectID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// `nil` when the text is not a project id.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard (6...30).contains(bytes.count), let first = bytes.first, let last = bytes.last else { return nil }
        guard bytes.allSatisfy({ $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else { return nil }
        guard first.isLowercaseLetter, last != UInt8(ascii: "-") else { return nil }
        self.text = String(text)
    }

    /// - Parameter text: A project id, written in the source.
    init(known text: StaticString) {
        self.text = "\(text)"
    }

    public var description: String { text }

    /// Whether the project is one of the emulator's, whose messages never leave the machine.
    public var isDemo: Bool { text.hasPrefix("demo-") }
}

/// The number of a project, which is also its sender id: 12 decimal digits.
public struct ProjectNumber: Hashable, Sendable, CustomStringConvertible {
    public let value: UInt64

    public init(value: UInt64) {
        self.value = value
    }

    /// `nil` unless the text is decimal digits without padding.
    public init?(_ text: some StringProtocol) {
        guard let first = text.utf8.first, first != UInt8(ascii: "0"), text.utf8.allSatisfy(\.isDigit),
            let value = UInt64(text)
        else { return nil }
        self.value = value
    }

    public var description: String { String(value) }
}

/// The platform of an app, as its app id spells it.
public enum AppPlatform: String, Hashable, Sendable, CaseIterable {
    case ios, android, web
}

/// A Firebase app id: `1:<project number>:<platform>:<hex>`.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
    public let text: String
    public let project: ProjectNumber
    public let platform: AppPlatform

    /// `nil` when the text has another form.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "1", let project = ProjectNumber(parts[1]),
            let platform = AppPlatform(rawValue: String(parts[2])), (1...64).contains(parts[3].utf8.count),
            parts[3].utf8.allSatisfy({ $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) })
        else { return nil }
        self.text = String(text)
        self.project = project
        self.platform = platform
    }

    public var description: String { text }
}

extension UInt8 {
    var isLowercaseLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    var isUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isURLSafe: Bool {
        isLowercaseLetter || isUppercaseLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
