extension StoreError: CustomStringConvertible {
    /// The sentences that the store gave, for people.
    public var description: String {
        switch self {
        case .conflict(let text), .notFound(let text), .unavailable(let text): text
        }
    }
}
