import Crypto
import EventLoop
import HTTP2Wire
import JSON
import Timekeeping
import Transport

@testable import APNsSimulator

/// A running simulator with one device, one app and one signing key, on loops of its own.
final class Fixture: Sendable {
    static let bundleID = "com.example.pushdemo"
    static let keyID = "ABC123DEFG"
    static let teamID = "DEF123GHIJ"
    static let start = Timestamp(seconds: 1_800_000_000)
    static let payload = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)

    let loops: EventLoopGroup
    let clock: ManualClock
    let simulator: APNsSimulator
    let device: SimulatedDevice
    let token: String
    let key: P256PrivateKey
    /// One provider token for all requests, as a good sender has it.
    private let sharedAuthorization: String

    init(_ change: (inout APNsSimulatorOptions) -> Void = { _ in }) throws {
        var options = APNsSimulatorOptions(endpoints: [.init(environment: .sandbox)])
        change(&options)
        loops = try EventLoopGroup(count: 1)
        clock = ManualClock(Self.start)
        key = try P256PrivateKey.generate()
        sharedAuthorization = "bearer " + (try ProviderTokens.make(key: key, issuedAt: Self.start.seconds))
        simulator = try APNsSimulator.start(options, clock: clock, loops: loops.loops)
        simulator.register(ProviderKey(id: Self.keyID, teamID: Self.teamID, publicKey: key.publicKey))
        device = simulator.device("phone")
        token = device.register(bundleID: Self.bundleID)
    }

    deinit {
        simulator.stop()
        loops.shutDown()
    }

    /// A sender that connects at once.
    func sender(protocols: [String] = ["h2"], identity: TLSIdentity? = nil) throws -> Sender {
        let sender = try waitingSender(protocols: protocols, identity: identity)
        sender.connect()
        return sender
    }

    /// A sender that connects when it is told to.
    func waitingSender(protocols: [String] = ["h2"], identity: TLSIdentity? = nil) throws -> Sender {
        try Sender(
            port: simulator.port, on: loops.loops[0], authorityPEM: simulator.authorityPEM, protocols: protocols,
            identity: identity)
    }

    func authorization(issuedAt: Timestamp) throws -> String {
        "bearer " + (try ProviderTokens.make(key: key, issuedAt: issuedAt.seconds))
    }

    /// The header fields of a push.
    func fields(
        token: String? = nil, authorization: String? = nil, _ changes: [String: String?] = [:]
    ) -> [HTTP2Field] {
        var fields = [
            HTTP2Field(":method", "POST"), HTTP2Field(":scheme", "https"), HTTP2Field(":authority", "localhost"),
            HTTP2Field(":path", "/3/device/" + (token ?? self.token)),
            HTTP2Field("authorization", authorization ?? sharedAuthorization, indexing: .never),
            HTTP2Field("apns-topic", Self.bundleID), HTTP2Field("apns-push-type", "alert"),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.name == name }
            if let value { fields.append(HTTP2Field(name, value)) }
        }
        return fields.filter { $0.name.hasPrefix(":") } + fields.filter { !$0.name.hasPrefix(":") }
    }
}

/// Provider tokens for tests.
enum ProviderTokens {
    static func make(
        key: P256PrivateKey, keyID: String = Fixture.keyID, teamID: String = Fixture.teamID, issuedAt: Int64
    ) throws -> String {
        try JWT.encode(
            ["iss": .string(teamID), "iat": .integer(issuedAt)], keyID: keyID, type: nil, with: .es256(key))
    }
}
