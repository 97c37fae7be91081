public import PushModel

/// Who may join which topics, as a project may rule it for its apps. Without rules every app instance may join every
/// topic. App servers are not bound by them.
public struct TopicRules: Sendable, Equatable {
    /// Topics that may be joined; empty for all.
    public var allowed: [TopicPattern]
    /// Topics that may not be joined, whatever `allowed` says.
    public var denied: [TopicPattern]

    public init(allowed: [TopicPattern] = [], denied: [TopicPattern] = []) {
        self.allowed = allowed
        self.denied = denied
    }

    /// - Parameter fid: The app instance that wants to join.
    public func allows(_ topic: TopicName, for fid: String) -> Bool {
        let isAllowed = allowed.isEmpty || allowed.contains { $0.matches(topic, for: fid) }
        return isAllowed && !denied.contains { $0.matches(topic, for: fid) }
    }
}

/// A topic name in which `*` stands for any characters, and `{fid}` for the FID of the app instance that asks.
public struct TopicPattern: Sendable, Hashable {
    private static let ownFID = "{fid}"

    public let text: String

    /// `nil` when no topic could ever match.
    public init?(_ text: String) {
        let plain = text.split(separator: "*").joined().replacing(Self.ownFID, with: "")
        guard (1...TopicName.maximumCharacters).contains(text.utf8.count), plain.isEmpty || TopicName(plain) != nil
        else { return nil }
        self.text = text
    }

    public func matches(_ topic: TopicName, for fid: String) -> Bool {
        guard !text.contains(Self.ownFID) || !fid.isEmpty else { return false }
        return Self.matches(Array(topic.text.utf8), Array(text.replacing(Self.ownFID, with: fid).utf8))
    }

    /// Goes back only to the last star, so the time is bounded by the product of both lengths.
    private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var (place, patternPlace) = (0, 0)
        var star: (pattern: Int, name: Int)?
        while place < name.count {
            if patternPlace < pattern.count, pattern[patternPlace] == UInt8(ascii: "*") {
                star = (patternPlace, place)
                patternPlace += 1
            } else if patternPlace < pattern.count, pattern[patternPlace] == name[place] {
                place += 1
                patternPlace += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                place = last.name + 1
                patternPlace = last.pattern + 1
            } else {
                return false
            }
        }
        return pattern[patternPlace...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
