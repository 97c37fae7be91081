import PushModel

/// A step on the way from the root to a value.
enum FieldStep {
    case name(String)
    /// The place in a list or map.
    case index(Int)
}

/// The way from the root to a value, innermost step first: it grows while the reader returns to the root, so that
/// bodies without faults pay nothing for it.
struct FieldPath {
    private var steps: [FieldStep] = []

    mutating func prepend(_ step: FieldStep) {
        steps.append(step)
    }

    /// `message.data[1].value`.
    var text: String { Self.text(steps[...]) }

    /// The place of the message that has the field.
    var parentText: String { Self.text(steps.dropFirst()) }

    /// The name of the field itself; empty at the root.
    var name: String {
        if case .name(let name)? = steps.first { name } else { "" }
    }

    private static func text(_ steps: ArraySlice<FieldStep>) -> String {
        var text = ""
        for step in steps.reversed() {
            switch step {
            case .name(let name): text += text.isEmpty ? name : ".\(name)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}

/// Something in a body that does not fit the schema. The texts are those of protobuf's own JSON reader.
struct ProtoJSONFault {
    enum Kind {
        /// A name that the message at the path does not have.
        case unknownName(String)
        /// A value of another type.
        case value(type: String, text: String)
        /// A value of a well-known type that is not in its form.
        case wellKnown(type: String, problem: String)
        case list
        case listForMap
        case objectForScalar
        /// A second member of a oneof.
        case conflict(oneof: String)
        /// The body is no object.
        case root
    }

    var kind: Kind
    var path = FieldPath()

    var violation: SendError.Violation {
        switch kind {
        case .unknownName(let name): unknown(name, "Cannot find field.", at: path.text)
        case .root: unknown("", "Root element must be a message.", at: "")
        case .list: unknown(path.name, "Proto field is not repeating, cannot start list.", at: path.parentText)
        case .value(let type, let text): value(type, text, at: path.text)
        case .wellKnown(let type, let problem):
            value(type, "Field '\(lowerCamelCase(path.name))', \(problem)", at: path.text)
        case .listForMap:
            value("Map", "Cannot bind a list to map for field '\(path.name)'.", at: path.parentText)
        case .objectForScalar: value(path.name, "Starting an object on a scalar field", at: path.parentText)
        case .conflict(let oneof):
            value("oneof", "oneof field '\(oneof)' is already set. Cannot set '\(path.name)'", at: path.parentText)
        }
    }

    private func unknown(_ name: String, _ problem: String, at place: String) -> SendError.Violation {
        let preposition = place.isEmpty ? "" : " at '\(place)'"
        return SendError.Violation(
            field: place,
            description: "Invalid JSON payload received. Unknown name \"\(name)\"\(preposition): \(problem)")
    }

    private func value(_ type: String, _ text: String, at place: String) -> SendError.Violation {
        SendError.Violation(field: place, description: "Invalid value at '\(place)' (\(type)), \(text)")
    }
}

/// A rule of the service that a well-formed value breaks.
struct FieldRefusal {
    var path = FieldPath()
    /// Makes the error from the text of the path.
    let make: (String) -> SendError

    var error: SendError { make(path.text) }
}
