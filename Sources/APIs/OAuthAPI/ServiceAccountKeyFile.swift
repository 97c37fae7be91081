public import Crypto
public import GoogleAPI
internal import JSON
public import Timekeeping

/// The JSON file with which an app server proves who it is. Source: Google Cloud, "Create and delete service account
/// keys"; what client libraries need of it is in their loaders.
public struct ServiceAccountKeyFile: Sendable {
    public enum ParseError: Error, Equatable, Sendable, CustomStringConvertible {
        case notJSON, notServiceAccount
        case memberMissing(String)
        case key(KeyError)

        public var description: String {
            switch self {
            case .notJSON: "The file is not JSON."
            case .notServiceAccount: "The file's type is not service_account."
            case .memberMissing(let name): "The file has no \(name)."
            case .key(let error): "private_key: \(error)"
            }
        }
    }

    public let projectID: String
    /// 40 hexadecimal digits: the token's `kid`.
    public let keyID: String
    public let privateKey: RSAPrivateKey
    public let email: String
    /// 21 decimal digits.
    public let clientID: String
    public let tokenURI: String

    public init(
        projectID: String, keyID: String, privateKey: RSAPrivateKey, email: String, clientID: String, tokenURI: String
    ) {
        self.projectID = projectID
        self.keyID = keyID
        self.privateKey = privateKey
        self.email = email
        self.clientID = clientID
        self.tokenURI = tokenURI
    }

    /// Reads a file, also one whose key went through an environment variable and has its line ends doubled or lost.
    public init(parsing file: [UInt8]) throws(ParseError) {
        guard let object = (try? JSONValue(parsing: file, options: JSONBody.options))?.object else { throw .notJSON }
        guard object["type"] == "service_account" else { throw .notServiceAccount }
        keyID = object["private_key_id"]?.string ?? ""
        clientID = object["client_id"]?.string ?? ""
        projectID = try Self.member("project_id", of: object)
        email = try Self.member("client_email", of: object)
        tokenURI = try Self.member("token_uri", of: object)
        do {
            privateKey = try RSAPrivateKey(pem: Self.member("private_key", of: object))
        } catch let error as KeyError {
            throw .key(error)
        } catch {
            throw .memberMissing("private_key")
        }
    }

    private static func member(_ name: String, of object: JSONObject) throws(ParseError) -> String {
        guard let text = object[name]?.string, !text.isEmpty else { throw .memberMissing(name) }
        return text
    }

    /// The file's text, a line per member.
    public var encoded: [UInt8] {
        let json: JSONValue = [
            "type": "service_account", "project_id": .string(projectID), "private_key_id": .string(keyID),
            "private_key": .string(privateKey.pem), "client_email": .string(email), "client_id": .string(clientID),
            "auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": .string(tokenURI),
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "client_x509_cert_url": .string("https://www.googleapis.com/robot/v1/metadata/x509/\(escapedEmail)"),
            "universe_domain": "googleapis.com",
        ]
        return json.prettyPrinted
    }

    private var escapedEmail: String {
        email.split(separator: "@", omittingEmptySubsequences: false).joined(separator: "%40")
    }

    /// A signed assertion for the token endpoint, good for an hour.
    public func assertion(scopes: OAuthScopes = .messaging, at now: Timestamp) throws(CryptoError) -> String {
        let claims: JSONObject = [
            "iss": .string(email), "scope": .string(scopes.urls.joined(separator: " ")), "aud": .string(tokenURI),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3600),
        ]
        return try JWT.encode(claims, keyID: keyID, with: .rs256(privateKey))
    }
}

extension ServiceAccountKeyFile {
    /// Makes a new key for an account. Takes some tens of milliseconds.
    public static func generate(
        projectID: String, email: String, tokenURI: String
    ) throws(CryptoError) -> ServiceAccountKeyFile {
        var random = SecureRandom()
        let keyID = (0..<40).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }.joined()
        let clientID = "1" + (0..<20).map { _ in String(Int.random(in: 0..<10, using: &random)) }.joined()
        return ServiceAccountKeyFile(
            projectID: projectID, keyID: keyID, privateKey: try .generate(), email: email, clientID: clientID,
            tokenURI: tokenURI)
    }
}
