/// Routes by the first segment of their patterns; in each group those that fit fewer paths come first.
struct RouteTable: Sendable {
    /// A route and what its parameters matched.
    struct Match: Sendable {
        var route: Route
        var values: [String]
    }

    private var groups: [String: [Route]] = [:]
    /// Routes whose first segment is not literal.
    private var others: [Route] = []

    mutating func insert(_ route: Route) {
        if case .literal(let first) = route.pattern.segments.first {
            groups[first, default: []].insert(inOrder: route)
        } else {
            others.insert(inOrder: route)
        }
    }

    /// - Parameter segments: Decoded.
    func match(_ segments: [Substring], _ accepts: (Route) -> Bool) -> Match? {
        guard let first = segments.first else { return nil }
        for route in groups[String(first)] ?? [] {
            if let values = route.pattern.match(segments), accepts(route) { return Match(route: route, values: values) }
        }
        for route in others {
            if let values = route.pattern.match(segments), accepts(route) { return Match(route: route, values: values) }
        }
        return nil
    }
}

extension [Route] {
    /// Equally specific routes stay in the order in which they were added.
    fileprivate mutating func insert(inOrder route: Route) {
        let place = firstIndex { route.pattern.isMoreSpecific(than: $0.pattern) }
        insert(route, at: place ?? endIndex)
    }
}

extension PathPattern {
    /// Whether a decoded path has this shape.
    public func matches(_ path: String) -> Bool {
        match(path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)) != nil
    }

    /// What the parameters match; `nil` when the path has another shape.
    func match(_ path: [Substring]) -> [String]? {
        guard let end = matchedEnd(of: path) else { return nil }
        var values: [String] = []
        for (segment, text) in zip(segments, path[..<end]) {
            switch segment {
            case .literal(let literal):
                guard text == literal else { return nil }
            case .parameter:
                guard !text.isEmpty else { return nil }
                values.append(String(text))
            case .verb(let verb):
                guard let value = text.beforeVerb(verb) else { return nil }
                values.append(value)
            case .rest: break
            }
        }
        if segments.last == .rest { values.append(path[(segments.count - 1)...].joined(separator: "/")) }
        return values
    }

    /// How many segments of the path the pattern's segments stand for, if the number fits.
    private func matchedEnd(of path: [Substring]) -> Int? {
        if segments.last == .rest { return path.count >= segments.count ? path.count : nil }
        if path.count == segments.count { return path.count }
        let hasTrailingSlash = allowsTrailingSlash && path.count == segments.count + 1 && path.last == ""
        return hasTrailingSlash ? segments.count : nil
    }

    /// Compares segment by segment: literal before verb, verb before parameter, parameter before rest.
    func isMoreSpecific(than other: PathPattern) -> Bool {
        for (left, right) in zip(segments, other.segments) where left.generality != right.generality {
            return left.generality < right.generality
        }
        return false
    }
}

extension PathPattern.Segment {
    fileprivate var generality: Int {
        switch self {
        case .literal: 0
        case .verb: 1
        case .parameter: 2
        case .rest: 3
        }
    }
}

extension Substring {
    /// The text before `:verb`, when it is not empty.
    fileprivate func beforeVerb(_ verb: String) -> String? {
        guard hasSuffix(verb) else { return nil }
        let head = dropLast(verb.count)
        guard head.last == ":", head.utf8.count > 1 else { return nil }
        return String(head.dropLast())
    }
}
