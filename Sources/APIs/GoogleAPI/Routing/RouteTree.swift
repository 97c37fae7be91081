/// Routes by the segments of their patterns. Literal segments win over verbs, verbs over parameters, those over the rest.
struct RouteTree: Sendable {
    /// A route and what its parameters matched.
    struct Match {
        var route: Route
        var values: [String]
    }

    private var literals: [String: RouteTree] = [:]
    private var verbs: [String: RouteTree] = [:]
    /// No or one tree: an array, because a struct cannot hold itself.
    private var parameter: [RouteTree] = []
    private var rest: [Route] = []
    private var routes: [Route] = []

    mutating func insert(_ route: Route) {
        insert(route, route.pattern.segments[...])
    }

    private mutating func insert(_ route: Route, _ segments: ArraySlice<PathPattern.Segment>) {
        let others = segments.dropFirst()
        switch segments.first {
        case .literal(let text): literals[text, default: RouteTree()].insert(route, others)
        case .verb(let verb): verbs[verb, default: RouteTree()].insert(route, others)
        case .rest: rest.append(route)
        case .parameter:
            if parameter.isEmpty { parameter.append(RouteTree()) }
            parameter[0].insert(route, others)
        case nil:
            routes.append(route)
            if route.pattern.allowsTrailingSlash { literals["", default: RouteTree()].routes.append(route) }
        }
    }

    /// - Parameter segments: Decoded.
    func match(_ segments: ArraySlice<String>, _ accepts: (Route) -> Bool) -> Match? {
        guard let first = segments.first else {
            return routes.first(where: accepts).map { Match(route: $0, values: []) }
        }
        let others = segments.dropFirst()
        if let match = literals[first]?.match(others, accepts) { return match }
        if let colon = first.lastIndex(of: ":"), colon > first.startIndex,
            let match = verbs[String(first[colon...].dropFirst())]?.match(others, accepts)
        {
            return match.prepending(String(first[..<colon]))
        }
        if !first.isEmpty, let match = parameter.first?.match(others, accepts) { return match.prepending(first) }
        return rest.first(where: accepts).map { Match(route: $0, values: [segments.joined(separator: "/")]) }
    }
}

extension RouteTree.Match {
    fileprivate func prepending(_ value: String) -> RouteTree.Match {
        RouteTree.Match(route: route, values: [value] + values)
    }
}
