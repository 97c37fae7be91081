import PushCore
public import Timekeeping

/// Slows down those who guess passwords: per name and per address of the peer, in bounded memory. What succeeds does not
/// count.
public struct SignInLimiter: Sendable {
    public struct Rates: Sendable {
        /// Wrong passwords for one name at once, and then one more each interval.
        public var attemptsPerName: Int
        public var intervalPerNameSeconds: Int
        /// The same for all names that one address tries. More, because offices share one.
        public var attemptsPerAddress: Int
        public var intervalPerAddressSeconds: Int

        public init(
            attemptsPerName: Int = 10, intervalPerNameSeconds: Int = 15, attemptsPerAddress: Int = 30,
            intervalPerAddressSeconds: Int = 5
        ) {
            self.attemptsPerName = attemptsPerName
            self.intervalPerNameSeconds = intervalPerNameSeconds
            self.attemptsPerAddress = attemptsPerAddress
            self.intervalPerAddressSeconds = intervalPerAddressSeconds
        }
    }

    private static let rememberedKeys = 16_384

    private let names: RateBuckets<String>
    private let addresses: RateBuckets<String>
    private let clock: any WallClock

    public init(_ rates: Rates = Rates(), clock: any WallClock) {
        self.clock = clock
        names = RateBuckets(
            burst: rates.attemptsPerName, intervalMilliseconds: Int64(rates.intervalPerNameSeconds) * 1000,
            maximumKeys: Self.rememberedKeys)
        addresses = RateBuckets(
            burst: rates.attemptsPerAddress, intervalMilliseconds: Int64(rates.intervalPerAddressSeconds) * 1000,
            maximumKeys: Self.rememberedKeys)
    }

    /// Counts a try before its password is checked, so that many at once gain nothing.
    func begin(name: UserName?, address: String) throws(AccountError) {
        let now = clock.now()
        let address = Self.network(of: address)
        if let wait = addresses.take(address, at: now) { throw Self.refusal(wait) }
        guard let name else { return }
        if let wait = names.take(name.text, at: now) {
            addresses.giveBack(address)
            throw Self.refusal(wait)
        }
    }

    /// The password was right.
    func succeeded(name: UserName, address: String) {
        addresses.giveBack(Self.network(of: address))
        names.giveBack(name.text)
    }

    private static func refusal(_ waitMilliseconds: Int64) -> AccountError {
        .tooManyAttempts(retryAfterSeconds: Int(clamping: waitMilliseconds / 1000 + 1))
    }

    /// An IPv6 customer has a whole /64 to choose addresses from.
    private static func network(of address: String) -> String {
        guard address.contains(":"), !address.contains(".") else { return address }
        let halves = address.split(separator: ":", omittingEmptySubsequences: false)
        guard let gap = halves.dropFirst().firstIndex(of: ""), gap < 4 else {
            return halves.prefix(4).joined(separator: ":")
        }
        return halves.prefix(gap).joined(separator: ":") + "::"
    }
}
