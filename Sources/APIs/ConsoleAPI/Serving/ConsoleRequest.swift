public import Accounts
public import GoogleAPI
public import HTTPSemantics
public import JSON
public import PushModel

/// A request to the console's API whose caller may make it, and whose parts have the declared shapes.
public struct ConsoleRequest: Sendable {
    public let routed: RoutedRequest
    /// Who calls; `nil` only at endpoints for anybody.
    public let visitor: Visitor?
    /// The project of the path; `Project.none` when the path has none.
    public let project: Project
    /// What the caller may do in the project.
    public let role: ConsoleRole?
    /// Checked against the endpoint's schema; empty when it takes none.
    public let body: JSONObject

    /// Tests make requests by hand; otherwise `ConsoleAPI` does.
    public init(
        _ routed: RoutedRequest, visitor: Visitor?, project: Project = .none, role: ConsoleRole? = nil,
        body: JSONObject = JSONObject()
    ) {
        self.routed = routed
        self.visitor = visitor
        self.project = project
        self.role = role
        self.body = body
    }

    public var head: HTTPRequestHead { routed.head }
    /// The address of the caller, without port: that of the peer, or what a trusted proxy says.
    public var peerAddress: String { routed.request.peerAddress }
    /// The name of who calls; empty for nobody.
    public var userName: String { visitor?.user.name.text ?? "" }

    /// The decoded text that a `{name}` of the path matched.
    public subscript(path name: String) -> String { routed[parameter: name] }

    /// The first value of a name in the query. An empty one counts as absent.
    public func query(_ name: String) -> String? {
        routed.queryValue(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Who calls.
    /// - Throws: 401 when nobody is signed in.
    public func signedIn() throws(GoogleError) -> Visitor {
        guard let visitor else { throw .notSignedIn }
        return visitor
    }

    /// Which page of a list is wanted.
    public func page() throws(GoogleError) -> ConsolePage {
        try ConsolePage(size: query("pageSize"), token: query("pageToken"))
    }
}
