/// The shape of a JSON value: what the API file says of it, and what is checked before a handler sees it.
///
/// A subset of JSON Schema 2020-12. Objects take no members but the named ones.
public indirect enum ConsoleSchema: Sendable, Equatable {
    case text(TextShape)
    case integer(ClosedRange<Int64>)
    case number
    case flag
    case list(ConsoleSchema, maximumItems: Int)
    case object([Member])
    /// Any names, each with a value of one shape.
    case map(ConsoleSchema, maximumMembers: Int)
    /// At least one of these.
    case anyOf([ConsoleSchema])
    case nullable(ConsoleSchema)
    /// A schema that a part declares under this name.
    case reference(String)
    case anything

    public struct TextShape: Sendable, Equatable {
        /// Unit: Unicode scalars, as JSON Schema counts.
        public var minimumLength = 0
        public var maximumLength: Int?
        /// For readers of the API file: `date-time`, `uri`.
        public var format: String?
        /// A regular expression for readers of the API file. The handler checks what it says.
        public var pattern: String?
        /// Not empty when only these texts are allowed.
        public var choices: [String] = []
    }

    /// A member of an object.
    public struct Member: Sendable, Equatable {
        public var name: String
        public var schema: ConsoleSchema
        public var isRequired: Bool
        public var description: String
    }
}

extension ConsoleSchema {
    /// A text.
    public static func text(
        _ minimumLength: Int = 0, upTo maximumLength: Int? = nil, format: String? = nil, pattern: String? = nil
    ) -> ConsoleSchema {
        .text(
            TextShape(
                minimumLength: minimumLength, maximumLength: maximumLength, format: format, pattern: pattern))
    }

    /// One of some texts.
    public static func choice(_ texts: [String]) -> ConsoleSchema {
        .text(TextShape(choices: texts))
    }

    /// A time in RFC 3339.
    public static var time: ConsoleSchema { .text(1, format: "date-time") }

    /// A number of things.
    public static var count: ConsoleSchema { .integer(0...Int64.max) }

    /// A page of a list: `{"<name>": […], "nextPageToken": "…"}`.
    public static func page(_ name: String, of schema: ConsoleSchema) -> ConsoleSchema {
        .object([
            .required(name, .list(schema, maximumItems: ConsolePage.maximumSize)),
            .optional("nextPageToken", .text(), "Asks for the next page; absent on the last one."),
        ])
    }
}

extension ConsoleSchema.Member {
    public static func required(
        _ name: String, _ schema: ConsoleSchema, _ description: String = ""
    ) -> ConsoleSchema.Member {
        ConsoleSchema.Member(name: name, schema: schema, isRequired: true, description: description)
    }

    public static func optional(
        _ name: String, _ schema: ConsoleSchema, _ description: String = ""
    ) -> ConsoleSchema.Member {
        ConsoleSchema.Member(name: name, schema: schema, isRequired: false, description: description)
    }
}
