import Crypto
import HTTPSemantics
import Timekeeping

@testable import APNsSimulator

/// The judge with a key, a device and a connection, without any socket.
struct JudgeBench {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let liveToken = String(repeating: "ab", count: 32)
    static let voipToken = String(repeating: "cd", count: 32)
    static let productionToken = String(repeating: "ef", count: 32)
    static let deadToken = String(repeating: "01", count: 32)
    static let expiredToken = String(repeating: "02", count: 32)
    static let key = try? P256PrivateKey.generate()

    var judge = APNsRequestJudge()
    var keys = ProviderKeyRegistry()
    var devices = DeviceDirectory()
    var connection = ConnectionIdentity(environment: .sandbox)
    var now = JudgeBench.now
    /// One token for all requests, as a good sender has it.
    private var sharedToken: String?

    init() {
        keys.register(
            ProviderKey(id: Fixture.keyID, teamID: Fixture.teamID, publicKey: Self.key?.publicKey))
        register(Self.liveToken)
        register(Self.voipToken, suffix: ".voip")
        register(Self.productionToken, environment: .production, device: "other")
        register(Self.deadToken, device: "dead")
        devices.end(token: Self.deadToken, reason: .unregistered, at: Timestamp(milliseconds: 1_799_999_999_123))
        register(Self.expiredToken, device: "expired")
        devices.end(token: Self.expiredToken, reason: .expiredToken, at: Timestamp(seconds: 1_700_000_000))
    }

    private mutating func register(
        _ token: String, suffix: String = "", environment: SimulatedEnvironment = .sandbox, device: String = "phone"
    ) {
        _ = devices.register(
            bundleID: Fixture.bundleID, suffix: suffix, environment: environment, onDevice: device, token: token,
            now: Timestamp(seconds: 1_600_000_000))
    }

    /// A provider token issued so many seconds ago.
    func providerToken(
        key: P256PrivateKey? = nil, keyID: String = Fixture.keyID, teamID: String = Fixture.teamID, age: Int64 = 0
    ) throws -> String {
        guard let key = key ?? Self.key else { throw CryptoError.library("no key") }
        return "bearer "
            + (try ProviderTokens.make(key: key, keyID: keyID, teamID: teamID, issuedAt: now.seconds - age))
    }

    /// Judges a good request with changes.
    ///
    /// - Parameter headers: `nil` takes a header away.
    mutating func verdict(
        method: String = "POST", path: String = "/3/device/" + JudgeBench.liveToken, authority: String = "",
        headers: [(String, String?)] = [], body: [UInt8] = Fixture.payload
    ) throws -> Result<JudgedPush, Rejection> {
        let token = try sharedToken ?? providerToken()
        sharedToken = token
        var fields = HTTPFields([
            ("authorization", token), ("apns-topic", Fixture.bundleID), ("apns-push-type", "alert"),
        ])
        for (name, value) in headers { fields[name] = value }
        return verdict(APNsRequest(method: method, path: path, authority: authority, fields: fields, body: body))
    }

    mutating func verdict(_ request: APNsRequest) -> Result<JudgedPush, Rejection> {
        Result { () throws(Rejection) in
            try judge.judge(
                request, on: &connection, keys: &keys, devices: &devices, now: now,
                newID: { "00000000-0000-4000-8000-000000000000" })
        }
    }
}

extension Result where Failure == Rejection {
    var reason: RejectionReason? {
        if case .failure(let rejection) = self { rejection.reason } else { nil }
    }

    var isAccepted: Bool {
        if case .success = self { true } else { false }
    }
}
