public import Timekeeping

/// How far a time zone is from UTC, at any time: what a file of the tz database says.
public struct ZoneRules: Sendable, Equatable {
    public static let utc = ZoneRules(times: [], offsets: [], first: 0, later: .fixed(0))

    /// Zones are at most this far from UTC. Source: RFC 8536 §3.2 asks for −25 to +26 hours.
    static let longestOffsetSeconds: Int64 = 26 * 3600

    /// When the offset changes, ascending. Unit: seconds since 1970.
    let times: [Int64]
    /// The offset from each of these times on.
    let offsets: [Int32]
    /// The offset before the first change.
    let first: Int32
    /// The rule after the last change.
    let later: PosixZoneRule

    /// Seconds east of UTC.
    public func offset(at time: Timestamp) -> Int64 { offset(atSeconds: time.seconds) }

    func offset(atSeconds seconds: Int64) -> Int64 {
        guard let last = times.last, seconds < last else {
            if times.isEmpty, later == .fixed(first) { return Int64(first) }
            return later.offset(atSeconds: seconds)
        }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return Int64(low == 0 ? first : offsets[low - 1])
    }

    /// What clocks of the zone show.
    public func local(_ time: Timestamp) -> LocalDateTime {
        LocalDateTime(secondsSince1970: time.seconds + offset(at: time))
    }

    /// The one moment that a local time means. A time that clocks skip moves forward by what they skip; of a time that
    /// they show twice it is the first. Source: RFC 5545 §3.3.5.
    public func instant(of local: LocalDateTime) -> Timestamp {
        let wanted = local.secondsSince1970
        let before = offset(atSeconds: wanted - Self.longestOffsetSeconds)
        let after = offset(atSeconds: wanted + Self.longestOffsetSeconds)
        for offset in [max(before, after), min(before, after)]
        where self.offset(atSeconds: wanted - offset) == offset {
            return Timestamp(seconds: wanted - offset)
        }
        return Timestamp(seconds: wanted - before)
    }
}
