import JSON

extension JSONValue {
    /// The value as the text that a data entry carries: strings as they are, everything else as compact JSON.
    var plainText: String {
        string ?? text
    }
}
