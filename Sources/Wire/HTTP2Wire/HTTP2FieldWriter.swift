/// Takes the field lines of one request without an array of them in between.
public struct HTTP2FieldWriter {
    var encoder: FieldEncoder

    public mutating func append(_ name: String, _ value: String, indexing: HTTP2Field.Indexing = .automatic) {
        encoder.append(name, value, neverIndexed: indexing == .never)
    }
}

/// The field lines with which many requests begin, laid out once.
public struct HTTP2FieldPrefix {
    let encoder: FieldEncoder

    /// - Parameter fields: `:method`, `:scheme` and `:authority` before the others.
    public init(_ fields: [HTTP2Field]) {
        var encoder = FieldEncoder()
        for field in fields {
            encoder.append(field.name, field.value, neverIndexed: field.indexing == .never)
        }
        self.encoder = encoder
    }
}
