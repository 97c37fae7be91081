public import Accounts
public import GoogleAPI

/// One operation of the console's API: where it is, who may call it, what it takes and gives, and what it does.
public struct ConsoleEndpoint: Sendable {
    public typealias Handler = @Sendable (ConsoleRequest) async throws(GoogleError) -> ConsoleAnswer

    /// Who may call it.
    public enum Access: Sendable, Equatable {
        /// Also who is not signed in.
        case anybody
        case signedIn
        /// Who has at least this role in the `{project}` of the path.
        case project(ConsoleRole)
        /// Administrators of the whole server.
        case server
    }

    /// What an answer holds.
    public enum Content: Sendable, Equatable {
        case json(ConsoleSchema)
        /// Something else than JSON, by its media types.
        case other([String])
    }

    /// A parameter of the query.
    public struct Parameter: Sendable, Equatable {
        public var name: String
        /// A text or an integer.
        public var schema: ConsoleSchema
        public var description: String
        public var isRequired: Bool

        public init(_ name: String, _ schema: ConsoleSchema, _ description: String, isRequired: Bool = false) {
            self.name = name
            self.schema = schema
            self.description = description
            self.isRequired = isRequired
        }
    }

    /// `campaign.publish`: names the operation in the API file and in the audit log.
    public let name: String
    public let method: String
    /// Below `/console/v1/`: `projects/{project}/campaigns/{campaign}:publish`.
    public let path: String
    /// One sentence.
    public let summary: String
    public let access: Access
    public let query: [Parameter]
    public let body: ConsoleSchema?
    public let answer: Content
    /// The status of the usual answer.
    public let status: Int
    /// Whether the audit log gets a line when it has worked.
    public let isAudited: Bool
    /// The largest body in bytes.
    public let bodyLimitBytes: Int
    public let handler: Handler
    /// Some clients send `{}` where nothing is asked.
    private static let emptyBodyBytes = 256

    /// - Parameters:
    ///   - path: See `PathPattern` for its form.
    ///   - isAudited: By default what changes something is: everything but GET.
    public init(
        _ name: String, _ method: String, _ path: String, _ summary: String, access: Access,
        query: [Parameter] = [], body: ConsoleSchema? = nil, answer: Content = .json(.object([])), status: Int = 200,
        isAudited: Bool? = nil, bodyLimitBytes: Int = 1 << 16, handler: @escaping Handler
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.summary = summary
        self.access = access
        self.query = query
        self.body = body
        self.answer = answer
        self.status = status
        self.isAudited = isAudited ?? (method != "GET")
        self.bodyLimitBytes = body != nil ? bodyLimitBytes : method == "GET" ? 0 : Self.emptyBodyBytes
        self.handler = handler
    }

    /// Whether pages of other origins must not be able to call it with a visitor's cookie.
    var isGuarded: Bool { method != "GET" }

    var pattern: PathPattern { PathPattern(ConsoleAPI.root + path) }

    /// The names of the path's parameters.
    var pathParameters: [String] {
        path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) }
    }
}

/// What one part of the console brings: its operations, and the schemas that they name.
public struct ConsolePart: Sendable {
    /// Groups the operations in the API file.
    public var title: String
    public var endpoints: [ConsoleEndpoint]
    /// By name, for `ConsoleSchema.reference`. Names are unique among all parts.
    public var schemas: [String: ConsoleSchema]

    public init(_ title: String, endpoints: [ConsoleEndpoint], schemas: [String: ConsoleSchema] = [:]) {
        self.title = title
        self.endpoints = endpoints
        self.schemas = schemas
    }
}
