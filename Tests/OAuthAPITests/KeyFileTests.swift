import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import OAuthAPI
import PushModel
import Testing
import Timekeeping

@Suite struct `Service account key files` {
    private let file: ServiceAccountKeyFile

    init() throws {
        file = ServiceAccountKeyFile(
            projectID: "demo-pharos", keyID: "key1", privateKey: try #require(OAuthWorld.key), email: OAuthWorld.email,
            clientID: "100000000000000000000", tokenURI: OAuthWorld.tokenURL)
    }

    @Test func `have the shape that loaders expect`() throws {
        let json = try JSONValue(parsing: file.encoded)
        #expect(json["type"] == "service_account" && json["universe_domain"] == "googleapis.com")
        #expect(json["private_key"]?.string?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
        #expect(json["private_key"]?.string?.hasSuffix("-----END PRIVATE KEY-----\n") == true)
        #expect(
            json["client_x509_cert_url"]?.string
                == "https://www.googleapis.com/robot/v1/metadata/x509/sender%40demo-pharos.iam.gserviceaccount.com")
    }

    @Test func `are read with line ends once, doubled and lost`() throws {
        let text = String(decoding: file.encoded, as: UTF8.self)
        let doubled = text.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\\\\n")
        let cut = text.split(separator: "-----\\n\",", omittingEmptySubsequences: false).joined(separator: "-----\",")
        for text in [text, doubled, cut, "\u{FEFF}" + text] {
            let read = try ServiceAccountKeyFile(parsing: Array(text.utf8))
            #expect(read.privateKey.publicKey == file.privateKey.publicKey && read.keyID == "key1")
        }
        #expect(doubled != text && cut != text)
    }

    static let refused: [(change: JSONObject, error: ServiceAccountKeyFile.ParseError)] = [
        (["type": "authorized_user"], .notServiceAccount), (["type": nil], .notServiceAccount),
        (["project_id": nil], .memberMissing("project_id")), (["client_email": ""], .memberMissing("client_email")),
        (["token_uri": 7], .memberMissing("token_uri")), (["private_key": nil], .memberMissing("private_key")),
        (["private_key": "abc!"], .key(.notPEM)),
    ]

    @Test(arguments: refused.indices) func `are refused with the reason`(row: Int) throws {
        var object = try #require(JSONValue(parsing: file.encoded).object)
        for change in Self.refused[row].change { object[change.name] = change.value == .null ? nil : change.value }
        let error = Self.refused[row].error
        #expect(throws: error) { try ServiceAccountKeyFile(parsing: object.encoded) }
        #expect(!error.description.isEmpty)
    }

    @Test func `that are no JSON are refused`() {
        #expect(throws: ServiceAccountKeyFile.ParseError.notJSON) { try ServiceAccountKeyFile(parsing: [1]) }
    }

    @Test func `sign assertions that the endpoint takes`() async throws {
        let world = try OAuthWorld()
        #expect(await world.exchange(try file.assertion(at: OAuthWorld.now)).status == 200)
    }

    @Test func `are made with ids of the usual form`() throws {
        let fresh = try ServiceAccountKeyFile.generate(
            projectID: "demo-pharos", email: "a@b", tokenURI: "http://x/token")
        #expect(fresh.keyID.utf8.count == 40 && Hex.decode(fresh.keyID) != nil)
        #expect(fresh.clientID.utf8.count == 21 && fresh.clientID.utf8.allSatisfy { 0x30...0x39 ~= $0 })
    }
}

@Suite struct `The metadata server` {
    private let world: OAuthWorld
    private let router: Router

    init() throws {
        let world = try OAuthWorld()
        let project = Project(
            id: try #require(ProjectID("demo-pharos")), number: ProjectNumber(value: 123_456_789_012), displayName: "",
            createdAt: Timestamp(seconds: 0))
        let server = MetadataServer(accessTokens: world.endpoint.accessTokens) {
            world.directory.serviceAccount(serial: 1).map { .init(project: project, account: $0) }
        }
        var router = Router()
        server.addRoutes(to: &router)
        (self.world, self.router) = (world, router)
    }

    static let root = "/computeMetadata/v1"
    static let texts: [(path: String, text: String)] = [
        ("/project/project-id", "demo-pharos"), ("/project/numeric-project-id", "123456789012"),
        ("/instance/service-accounts/default/email", OAuthWorld.email),
        ("/instance/service-accounts/\(OAuthWorld.email)/email", OAuthWorld.email),
        ("/instance/service-accounts/", "default/\n\(OAuthWorld.email)/\n"),
        ("/universe/universe-domain", "googleapis.com"),
    ]

    @Test(arguments: texts.indices) func `answers what google-auth asks`(row: Int) async {
        let response = await get(Self.texts[row].path)
        #expect(response.status == 200 && response.fields["metadata-flavor"] == "Google")
        #expect(String(decoding: response.body, as: UTF8.self) == Self.texts[row].text)
    }

    @Test func `describes the account and gives tokens`() async throws {
        let account = await get("/instance/service-accounts/default/?recursive=true")
        #expect(account.fields["content-type"] == "application/json")
        #expect(try JSONValue(parsing: account.body)["email"] == .string(OAuthWorld.email))
        let path = "/instance/service-accounts/default/token?scopes=https://www.googleapis.com/auth/firebase.messaging"
        let response = await get(path)
        let token = try #require(JSONValue(parsing: response.body)["access_token"]?.string)
        #expect(try JSONValue(parsing: response.body)["expires_in"] == 3599)
        let caller = try world.endpoint.accessTokens.caller(presenting: token)
        #expect(caller.scopes == .firebaseMessaging && caller.account.serial == 1)
    }

    @Test func `refuses pages, proxies and other accounts`() async {
        #expect(await get("/project/project-id", fields: []).status == 403)
        let proxied = [("metadata-flavor", "Google"), ("x-forwarded-for", "10.0.0.1")]
        #expect(await get("/project/project-id", fields: proxied).status == 403)
        #expect(await get("/instance/service-accounts/x@y/token").status == 404)
        #expect(await get("/instance/service-accounts/default/identity").status == 404)
        world.directory.remove(serial: 1)
        #expect(await get("/project/project-id").status == 404)
    }

    @Test func `knows the probe`() {
        let head = HTTPRequestHead(method: "GET", target: "/", fields: HTTPFields([("metadata-flavor", "Google")]))
        #expect(MetadataServer.probeAnswer(to: head)?.fields["metadata-flavor"] == "Google")
        #expect(MetadataServer.probeAnswer(to: HTTPRequestHead(method: "GET", target: "/")) == nil)
    }

    private func get(_ path: String, fields: [(String, String)] = [("metadata-flavor", "Google")]) async -> HTTPResponse
    {
        let head = HTTPRequestHead(method: "GET", target: Self.root + path, fields: HTTPFields(fields))
        return await router.respond(to: HTTPRequest(head: head))
    }
}
