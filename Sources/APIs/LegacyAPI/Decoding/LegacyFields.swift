import JSON

/// Reads the members of a legacy body by type. `null` is the same as absent; names that nobody knows do no harm.
///
/// The texts are those that the service gave: senders' libraries show them as they are.
struct LegacyFields {
    let object: JSONObject

    func text(_ name: String) throws(LegacyFormatError) -> String? {
        try value(name, "string") { $0.string }
    }

    func bool(_ name: String) throws(LegacyFormatError) -> Bool? {
        try value(name, "boolean") { $0.bool }
    }

    func number(_ name: String) throws(LegacyFormatError) -> JSONNumber? {
        try value(name, "number") { $0.number }
    }

    func members(_ name: String) throws(LegacyFormatError) -> JSONObject? {
        try value(name, "object") { $0.object }
    }

    /// A list of texts. Source: the answers of the service to lists that are none.
    func texts(_ name: String) throws(LegacyFormatError) -> [String]? {
        guard let value = object[name], value != .null else { return nil }
        guard let list = value.array else {
            throw LegacyFormatError(text: "\"\(name)\" field is not a JSON array")
        }
        var texts: [String] = []
        texts.reserveCapacity(list.count)
        for (index, element) in list.enumerated() {
            guard let text = element.string else {
                throw LegacyFormatError(
                    text: "Element \(index) of field \"\(name)\" must be a JSON string: \(excerpt(of: element))")
            }
            texts.append(text)
        }
        return texts
    }

    private func value<Value>(
        _ name: String, _ type: String, _ read: (JSONValue) -> Value?
    ) throws(LegacyFormatError) -> Value? {
        guard let value = object[name], value != .null else { return nil }
        guard let read = read(value) else {
            throw LegacyFormatError(text: "Field \"\(name)\" must be a JSON \(type): \(excerpt(of: value))")
        }
        return read
    }

    /// Enough of a value to recognise it: answers stay short whatever was sent.
    private func excerpt(of value: JSONValue) -> String {
        let text = value.text
        return text.count > 100 ? text.prefix(100) + "…" : text
    }
}
