public import HTTPSemantics

/// Finds the route of a request by its path, and answers for the paths that nobody has.
///
/// Each segment of the path is percent-decoded once, after the path was cut at its slashes: `%2F` in a topic or token
/// stays inside its segment. A path with `.` or `..` segments belongs to no route.
public struct Router: HTTPHandler {
    private var exact: [String: [Route]] = [:]
    private var table = RouteTable()
    private var routes: [Route] = []

    public init() {}

    public mutating func add(_ route: Route) {
        routes.append(route)
        table.insert(route)
        if let path = route.pattern.exactPath { exact[path, default: []].append(route) }
    }

    /// Takes over all routes of another router.
    public mutating func mount(_ other: Router) {
        for route in other.routes { add(route) }
    }

    public mutating func get(_ pattern: PathPattern, allowsCrossOrigin: Bool = false, action: @escaping Route.Action) {
        add(Route("GET", pattern, bodyLimitBytes: 0, allowsCrossOrigin: allowsCrossOrigin, action: action))
    }

    public mutating func post(
        _ pattern: PathPattern, bodyLimitBytes: Int = Route.usualBodyLimitBytes, allowsCrossOrigin: Bool = false,
        action: @escaping Route.Action
    ) {
        add(
            Route(
                "POST", pattern, bodyLimitBytes: bodyLimitBytes, allowsCrossOrigin: allowsCrossOrigin, action: action))
    }

    public func bodyLimitBytes(for head: HTTPRequestHead) -> Int {
        guard case .found(let match) = lookUp(head, method: head.method) else { return Route.usualBodyLimitBytes }
        return match.route.bodyLimitBytes
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        await answer(request, lookUp(request.head, method: request.head.method))
    }

    public func plan(for head: HTTPRequestHead) -> HTTPPlan {
        let finding = lookUp(head, method: head.method)
        var limit = Route.usualBodyLimitBytes
        if case .found(let match) = finding { limit = match.route.bodyLimitBytes }
        return HTTPPlan(bodyLimitBytes: limit) { await answer($0, finding) }
    }

    private func answer(_ request: HTTPRequest, _ finding: Finding) async -> HTTPResponse {
        let head = request.head
        switch finding {
        case .found(let match):
            let parameters = zip(match.route.pattern.parameterNames, match.values).map { (name: $0, value: $1) }
            let response = await match.route.action(RoutedRequest(request, parameters: parameters))
            return match.route.allowsCrossOrigin ? CrossOrigin.shared(response, with: head) : response
        case .malformed:
            return HTTPResponse(errorPage: 400, "Bad Request", "The requested URL is malformed.")
        case .nothing:
            return preflightAnswer(head) ?? notFound(head)
        }
    }

    private enum Finding: Sendable {
        case found(RouteTable.Match)
        case nothing
        /// A percent-escape is broken.
        case malformed
    }

    private func lookUp(_ head: HTTPRequestHead, method: String) -> Finding {
        let accepts: (Route) -> Bool = { $0.answers(method: method, authority: head.authority) }
        let path = head.path
        if let route = exact[String(path)]?.first(where: accepts) {
            return .found(RouteTable.Match(route: route, values: []))
        }
        guard path.utf8.first == UInt8(ascii: "/") else { return .nothing }
        guard let segments = decodedSegments(path.dropFirst()) else { return .malformed }
        guard !segments.contains("."), !segments.contains("..") else { return .nothing }
        return table.match(segments, accepts).map { .found($0) } ?? .nothing
    }

    private func decodedSegments(_ path: Substring) -> [Substring]? {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard path.utf8.contains(UInt8(ascii: "%")) else { return segments }
        var decoded: [Substring] = []
        for segment in segments {
            guard let text = PercentEncoding.decode(segment) else { return nil }
            decoded.append(text[...])
        }
        return decoded
    }

    private func preflightAnswer(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.fields["origin"] != nil,
            let method = head.fields["access-control-request-method"],
            case .found(let match) = lookUp(head, method: method), match.route.allowsCrossOrigin
        else { return nil }
        return CrossOrigin.preflightAnswer
    }

    private func notFound(_ head: HTTPRequestHead) -> HTTPResponse {
        HTTPResponse(errorPage: 404, "Not Found", "The requested URL \(head.path) was not found on this server.")
    }
}
