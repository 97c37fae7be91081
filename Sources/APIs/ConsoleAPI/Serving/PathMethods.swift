import GoogleAPI

/// Which methods a path takes, for answers to the others.
struct PathMethods: Sendable {
    private let paths: [(pattern: PathPattern, method: String)]

    init(_ endpoints: [ConsoleEndpoint]) {
        paths = endpoints.map { (PathPattern("/" + $0.path), $0.method) } + [("/openapi.json", "GET")]
    }

    /// - Parameter rest: The decoded path below the API's root.
    func methods(of rest: String) -> [String] {
        let matching = paths.filter { $0.pattern.matches("/" + rest) }.map(\.method)
        return Set(matching).sorted()
    }
}
