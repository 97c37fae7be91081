import GoogleAPI
import JSON

/// Compares a value with its schema. Collects what is wrong, with the place of each fault: `target.topic`, `dates[2]`.
struct SchemaCheck {
    /// Enough for a person to mend; a hostile body cannot make an answer much longer than itself.
    static let maximumViolations = 20
    static let maximumDepth = 32

    let named: [String: ConsoleSchema]
    private(set) var violations: [GoogleError.FieldViolation] = []

    init(named: [String: ConsoleSchema]) {
        self.named = named
    }

    /// - Throws: 400 with a violation for each fault.
    static func require(
        _ value: JSONValue, _ schema: ConsoleSchema, named: [String: ConsoleSchema]
    ) throws(GoogleError) {
        var check = SchemaCheck(named: named)
        check.compare(value, schema, at: "", depth: 0)
        guard let first = check.violations.first else { return }
        throw GoogleError(.invalidArgument, first.description, details: [.badRequest(check.violations)])
    }

    mutating func compare(_ value: JSONValue, _ schema: ConsoleSchema, at place: String, depth: Int) {
        guard violations.count < Self.maximumViolations else { return }
        guard depth < Self.maximumDepth else { return refuse(place, "is nested too deeply") }
        switch (schema, value) {
        case (.anything, _), (.flag, .bool), (.number, .number), (.nullable, .null): return
        case (.nullable(let schema), _): compare(value, schema, at: place, depth: depth)
        case (.reference(let name), _):
            if let schema = named[name] { compare(value, schema, at: place, depth: depth + 1) }
        case (.text(let shape), .string(let text)): compare(text, shape, at: place)
        case (.integer(let range), .number(let number)): compare(number, range, at: place)
        case (.list(let element, let maximum), .array(let array)):
            guard array.count <= maximum else { return refuse(place, "has more than \(maximum) elements") }
            for (index, value) in array.enumerated() {
                compare(value, element, at: "\(place)[\(index)]", depth: depth + 1)
            }
        case (.object(let members), .object(let object)): compare(object, members, at: place, depth: depth)
        case (.map(let element, let maximum), .object(let object)):
            guard object.count <= maximum else { return refuse(place, "has more than \(maximum) members") }
            for member in object { compare(member.value, element, at: join(place, member.name), depth: depth + 1) }
        case (.anyOf(let schemas), _): compare(value, anyOf: schemas, at: place, depth: depth)
        default: refuse(place, "must be \(schema.name)")
        }
    }

    private mutating func compare(_ text: String, _ shape: ConsoleSchema.TextShape, at place: String) {
        if !shape.choices.isEmpty {
            guard !shape.choices.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return }
            return refuse(place, "must be one of \(shape.choices.joined(separator: ", "))")
        }
        let length = text.unicodeScalars.count
        if length < shape.minimumLength {
            refuse(
                place,
                shape.minimumLength == 1 ? "must not be empty" : "needs at least \(shape.minimumLength) characters")
        } else if let maximum = shape.maximumLength, length > maximum {
            refuse(place, "has more than \(maximum) characters")
        }
    }

    private mutating func compare(_ number: JSONNumber, _ range: ClosedRange<Int64>, at place: String) {
        guard let integer = number.int64, range.contains(integer) else {
            let bounds = range == Int64.min...Int64.max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
            return refuse(place, "must be a whole number\(bounds)")
        }
    }

    private mutating func compare(
        _ object: JSONObject, _ members: [ConsoleSchema.Member], at place: String, depth: Int
    ) {
        for member in members {
            if let value = object[member.name] {
                compare(value, member.schema, at: join(place, member.name), depth: depth + 1)
            } else if member.isRequired {
                refuse(join(place, member.name), "is missing")
            }
        }
        for member in object where !members.contains(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) {
            let known = members.map(\.name).joined(separator: ", ")
            refuse(join(place, member.name), "is unknown; known are \(known.isEmpty ? "none" : known)")
        }
    }

    /// The faults of the closest of several schemas are the ones that help.
    private mutating func compare(
        _ value: JSONValue, anyOf schemas: [ConsoleSchema], at place: String, depth: Int
    ) {
        var closest: [GoogleError.FieldViolation]?
        for schema in schemas {
            var check = SchemaCheck(named: named)
            check.compare(value, schema, at: place, depth: depth + 1)
            if check.violations.isEmpty { return }
            if closest.map({ Self.isCloser(check.violations, than: $0) }) ?? true { closest = check.violations }
        }
        violations += closest ?? []
    }

    /// A fault deep inside comes of a schema that fits outside.
    private static func isCloser(
        _ left: [GoogleError.FieldViolation], than right: [GoogleError.FieldViolation]
    ) -> Bool {
        let (leftDepth, rightDepth) = (left.first?.field?.count ?? 0, right.first?.field?.count ?? 0)
        return leftDepth == rightDepth ? left.count < right.count : leftDepth > rightDepth
    }

    private mutating func refuse(_ place: String, _ fault: String) {
        guard violations.count < Self.maximumViolations else { return }
        let place = String(place.prefix(200))
        violations.append(
            .init(
                field: place.isEmpty ? nil : place,
                description: (place.isEmpty ? "The body" : place) + " " + fault + "."))
    }

    private func join(_ place: String, _ name: String) -> String {
        place.isEmpty ? name : place + "." + name
    }
}

extension ConsoleSchema {
    /// What a value of the schema is, for a sentence.
    fileprivate var name: String {
        switch self {
        case .text: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .flag: "true or false"
        case .list: "an array"
        case .object, .map: "an object"
        case .anyOf, .nullable, .reference, .anything: "something else"
        }
    }
}
