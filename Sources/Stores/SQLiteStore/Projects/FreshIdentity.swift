import Bytes
import PushModel

/// Draws new identities at random.
struct FreshIdentity: Sendable {
    /// Gives so many random bytes that nobody can foresee.
    let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    /// 12 decimal digits, the first one not 0.
    func projectNumber() -> ProjectNumber {
        let bits = randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return ProjectNumber(value: 100_000_000_000 + bits % 900_000_000_000)
    }

    /// `1:<number>:<platform>:<22 hex digits>`.
    func appID(project: ProjectNumber, platform: AppPlatform) -> AppID? {
        AppID("1:\(project):\(platform.rawValue):\(Hex.encode(randomBytes(11)))")
    }

    /// 39 characters. Apple's SDK checks length, first letter and alphabet.
    func apiKey() -> String {
        "AIzaSy" + Base64URL.encode(randomBytes(25)).prefix(33)
    }
}
