extension GoogleError {
    /// A field with a wrong value: the text is both the message and the violation's description.
    ///
    /// - Parameter field: Dotted names in snake case.
    public static func invalidField(_ field: String, _ text: String) -> GoogleError {
        GoogleError(
            .invalidArgument, text, details: [.badRequest([FieldViolation(field: field, description: text)])])
    }
}
