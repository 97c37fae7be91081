/// A language with or without a country, from any of the forms in which devices write it: `de`, `pt_BR`, `zh-Hans-CN`,
/// `en_US@calendar=buddhist`. Source: BCP 47 and Unicode locale identifiers.
public struct LocaleTag: Hashable, Sendable {
    private static let maximumBytes = 64

    /// Two or three small letters.
    public let language: String
    /// Two capitals; `nil` when the text names none. Areas that are no country (`419`) count as none.
    public let country: String?

    /// `nil` when the text begins with no language.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let head = text.prefix { $0 != "@" && $0 != "." && $0 != ";" && $0 != "," }
        let parts = head.split { $0 == "-" || $0 == "_" }
        guard let first = parts.first, (2...3).contains(first.utf8.count), Self.isLetters(first) else { return nil }
        language = first.lowercased()
        country = parts.dropFirst().first { $0.utf8.count == 2 && Self.isLetters($0) }.map { $0.uppercased() }
    }

    /// `pt-BR`, or `pt` alone.
    public var name: String { country.map { "\(language)-\($0)" } ?? language }

    private static func isLetters(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy(\.isLetter) }
}

extension UInt8 {
    fileprivate var isLetter: Bool { isLowercaseLetter || isUppercaseLetter }
}

/// What a device says of the person who has it.
public struct DeviceLocale: Hashable, Sendable {
    public var tag: LocaleTag?
    /// A name of the tz database; kept as sent when it looks like one.
    public var timeZone: String?

    public init(tag: LocaleTag? = nil, timeZone: String? = nil) {
        self.tag = tag
        self.timeZone = timeZone
    }

    /// - Parameters:
    ///   - locale: As the device wrote it.
    ///   - timeZone: Likewise; a text that can be no name of a time zone counts as none.
    public init(locale: String?, timeZone: String?) {
        tag = locale.flatMap { LocaleTag($0) }
        self.timeZone = timeZone.flatMap { Self.isZoneName($0) ? $0 : nil }
    }

    public var isEmpty: Bool { tag == nil && timeZone == nil }

    private static func isZoneName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0.isURLSafe || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "+")
            }
    }
}
