internal import JSON
internal import Timekeeping

/// The life of a signed statement, as its `iat` and `exp` claim it. Unit: seconds since 1970.
struct ClaimedLife {
    /// How far a client's clock may be off.
    static let toleratedSkewSeconds: Int64 = 300
    /// An hour, and a little for clients that add to it.
    static let longestSeconds: Int64 = 3660

    let issuedAt: Int64
    let expiresAt: Int64

    /// `nil` when one is missing or no number. A fraction is cut; numbers in strings are read too.
    init?(_ claims: JSONObject) {
        guard let issuedAt = Self.seconds(claims["iat"]), let expiresAt = Self.seconds(claims["exp"]) else {
            return nil
        }
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    func hasEnded(at now: Timestamp) -> Bool {
        expiresAt <= now.seconds - Self.toleratedSkewSeconds
    }

    /// Whether it is short enough and has begun.
    func isReasonable(at now: Timestamp) -> Bool {
        issuedAt <= now.seconds + Self.toleratedSkewSeconds && expiresAt > issuedAt
            && expiresAt - issuedAt <= Self.longestSeconds
    }

    private static func seconds(_ claim: JSONValue?) -> Int64? {
        let seconds: Int64?
        switch claim {
        case .number(let number): seconds = number.int64 ?? number.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        case .string(let text): seconds = Int64(text)
        default: seconds = nil
        }
        // Beyond the year 9999 lies no time that somebody means, and sums could overflow.
        return seconds.flatMap { 0...253_402_300_799 ~= $0 ? $0 : nil }
    }
}
