/// What an app answers to a push in the background: `UIBackgroundFetchResult`.
public enum FetchResult: Int, Sendable, Hashable {
    case newData = 0
    case noData = 1
    case failed = 2

    /// One answer for many: failed when all failed, new data when any has it, else no data.
    public static func merged(_ results: [FetchResult]) -> FetchResult {
        if results.contains(.newData) { return .newData }
        return results.isEmpty || results.contains(.noData) ? .noData : .failed
    }
}
