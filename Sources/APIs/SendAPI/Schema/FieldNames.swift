import JSON

/// The fields of a message: found under their proto name and under its lowerCamelCase form, and under no other.
struct FieldNames: Sendable {
    private struct Spellings: Sendable {
        let proto: [UInt8]
        /// `nil` when it equals the proto name.
        let camel: [UInt8]?
    }

    private let names: [String]
    private let spellings: [Spellings]

    init(_ names: [String]) {
        self.names = names
        spellings = names.map { name in
            let camel = lowerCamelCase(name)
            return Spellings(proto: Array(name.utf8), camel: camel == name ? nil : Array(camel.utf8))
        }
    }

    /// The proto name of the field at a place.
    subscript(place: Int) -> String { names[place] }

    func place(of key: JSONKey) -> Int? {
        for place in spellings.indices {
            if key == spellings[place].proto { return place }
            if let camel = spellings[place].camel, key == camel { return place }
        }
        return nil
    }
}

/// `analytics_label` → `analyticsLabel`.
func lowerCamelCase(_ name: String) -> String {
    var result = ""
    var raises = false
    for character in name {
        if character == "_" {
            raises = true
        } else {
            result += raises ? character.uppercased() : String(character)
            raises = false
        }
    }
    return result
}

/// A message whose fields are the cases of an enumeration; their raw values are the proto names.
struct MessageType<Field: RawRepresentable & CaseIterable & Sendable>: Sendable where Field.RawValue == String {
    let url: String
    let fields: [Field]
    let names: FieldNames

    /// - Parameter name: Within `google.firebase.fcm.v1`.
    init(_ name: String, _ fields: Field.Type) {
        url = fcmTypeURL(name)
        self.fields = Array(fields.allCases)
        names = FieldNames(self.fields.map(\.rawValue))
    }
}

func fcmTypeURL(_ name: String) -> String {
    "type.googleapis.com/google.firebase.fcm.v1.\(name)"
}
