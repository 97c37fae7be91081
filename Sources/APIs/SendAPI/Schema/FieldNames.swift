import JSON

/// The fields of a message: found under their proto name and under its lowerCamelCase form, and under no other.
struct FieldNames: Sendable {
    private struct Spelling: Sendable {
        let bytes: [UInt8]
        let place: Int
    }

    private let names: [String]
    /// By the number of their bytes, so that few are compared with a key.
    private let spellings: [[Spelling]]

    init(_ names: [String]) {
        self.names = names
        var spellings: [[Spelling]] = []
        for (place, name) in names.enumerated() {
            for spelling in Set([name, lowerCamelCase(name)]) {
                let bytes = Array(spelling.utf8)
                while spellings.count <= bytes.count { spellings.append([]) }
                spellings[bytes.count].append(Spelling(bytes: bytes, place: place))
            }
        }
        self.spellings = spellings
    }

    /// The proto name of the field at a place.
    subscript(place: Int) -> String { names[place] }

    func place(of key: JSONKey) -> Int? {
        let count = key.byteCount
        guard count < spellings.count else { return nil }
        return spellings[count].first { key == $0.bytes }?.place
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
