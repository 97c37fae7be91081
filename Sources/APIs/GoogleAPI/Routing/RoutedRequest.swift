public import HTTPSemantics

/// A request that found its route.
public struct RoutedRequest: Sendable {
    public var request: HTTPRequest
    private let parameters: [(name: String, value: String)]

    public init(_ request: HTTPRequest, parameters: [(name: String, value: String)] = []) {
        self.request = request
        self.parameters = parameters
    }

    public var head: HTTPRequestHead { request.head }
    public var body: [UInt8] { request.body }

    /// The decoded text that a `{name}` of the pattern matched; empty when the pattern has no such name.
    public subscript(parameter name: String) -> String {
        parameters.first { $0.name == name }?.value ?? ""
    }

    /// The query's pairs, decoded, in order.
    public var query: [(name: String, value: String)] {
        head.query.isEmpty ? [] : PercentEncoding.formPairs(head.query)
    }

    /// The first value of a name in the query.
    public func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
