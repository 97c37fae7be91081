/// A point in time. Unit: whole milliseconds since 1970-01-01T00:00:00Z, as APNs and check-in count.
public struct Timestamp: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Stays at the end of time instead of overflowing.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds > 0 ? .max : .min) : product
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The time that many milliseconds later; stays at the end of time instead of overflowing.
    public func adding(milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Timestamp(milliseconds: overflow ? (milliseconds > 0 ? .max : .min) : sum)
    }

    /// The time that many seconds later; stays at the end of time instead of overflowing.
    public func adding(seconds: Int64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return adding(milliseconds: overflow ? (seconds > 0 ? .max : .min) : product)
    }
}
