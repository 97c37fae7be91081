/// How long to wait before trying again: a random time below a limit that doubles from try to try ("full jitter").
public struct BackOff: Sendable {
    private static let shortestMilliseconds: Int64 = 100

    public var firstMilliseconds: Int64
    public var longestMilliseconds: Int64
    private let random: @Sendable (ClosedRange<Int64>) -> Int64

    /// - Parameter random: Picks one of the range.
    public init(
        firstMilliseconds: Int64 = 1_000, longestMilliseconds: Int64 = 900_000,
        random: @escaping @Sendable (ClosedRange<Int64>) -> Int64 = { Int64.random(in: $0) }
    ) {
        self.firstMilliseconds = max(1, firstMilliseconds)
        self.longestMilliseconds = max(1, longestMilliseconds)
        self.random = random
    }

    /// - Parameter failures: Tries that failed so far, at least 1.
    public func delayMilliseconds(afterFailures failures: Int) -> Int64 {
        let doublings = min(max(0, failures - 1), 30)
        let (product, overflow) = firstMilliseconds.multipliedReportingOverflow(by: 1 << Int64(doublings))
        let limit = overflow ? longestMilliseconds : min(product, longestMilliseconds)
        return max(Self.shortestMilliseconds, random(0...limit))
    }
}
