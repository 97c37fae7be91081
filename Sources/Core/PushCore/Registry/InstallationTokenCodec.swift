import Bytes
import JSON
public import PushModel
public import Timekeeping

/// What an installation's auth token proves.
public struct InstallationProof: Sendable, Equatable {
    public var fid: FirebaseInstallationID
    public var app: AppID
    public var project: ProjectNumber

    public init(fid: FirebaseInstallationID, app: AppID, project: ProjectNumber) {
        self.fid = fid
        self.app = app
        self.project = project
    }
}

/// Writes and reads the auth tokens of Firebase Installations: a compact JWT, HS256 under the server's secret, with the
/// payload that Google's have (`appId`, `exp`, `fid`, `projectNumber`). Clients treat it as opaque.
///
/// Verifying needs no store, so a token is good on every node the moment it is given out.
public struct InstallationTokenCodec: Sendable {
    /// Source: Firebase Installations, `expiresIn` of 7 days.
    public static let lifetimeSeconds: Int64 = 604_800
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
    private static let maximumCharacters = 2048

    private let sealing: Sealing

    public init(sealing: Sealing) {
        self.sealing = sealing.derived(for: "installation token")
    }

    public func encode(_ proof: InstallationProof, at now: Timestamp) -> String {
        let payload: JSONValue = [
            "appId": .string(proof.app.text),
            "exp": .integer(now.adding(seconds: Self.lifetimeSeconds).seconds),
            "fid": .string(proof.fid.text),
            "projectNumber": .integer(proof.project.value),
        ]
        let signed = Self.header + "." + Base64URL.encode(payload.encoded)
        return signed + "." + Base64URL.encode(sealing.seal(Array(signed.utf8)))
    }

    /// `nil` for a text that `encode` did not write, or one that has expired.
    public func decode(_ text: some StringProtocol, at now: Timestamp) -> InstallationProof? {
        guard text.utf8.count <= Self.maximumCharacters, let lastDot = text.lastIndex(of: ".") else { return nil }
        let signed = text[..<lastDot]
        guard let seal = Base64URL.decode(text[text.index(after: lastDot)...]),
            sealing.isEqual(seal, sealing.seal(Array(signed.utf8))),
            let dot = signed.firstIndex(of: "."),
            let payload = Base64URL.decode(signed[signed.index(after: dot)...]),
            let claims = try? JSONValue(parsing: payload)
        else { return nil }
        return proof(claims, at: now)
    }

    private func proof(_ claims: JSONValue, at now: Timestamp) -> InstallationProof? {
        guard let object = claims.object, let expiry = object["exp"]?.number?.int64, expiry > now.seconds,
            let fid = object["fid"]?.string.flatMap({ FirebaseInstallationID($0) }),
            let app = object["appId"]?.string.flatMap({ AppID($0) }),
            let project = object["projectNumber"]?.number?.uint64
        else { return nil }
        return InstallationProof(fid: fid, app: app, project: ProjectNumber(value: project))
    }
}
