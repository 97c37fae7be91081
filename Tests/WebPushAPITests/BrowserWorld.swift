import AppServerTesting
import Bytes
import Crypto
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import SQLiteStore
import Timekeeping
import WebPushAPI
import WebPushWire

/// The routes over a real store, with a browser that subscribed for an app server's own key.
final class BrowserWorld: Sendable {
    static let origin = "https://push.example.com"

    let world: AppServerWorld
    let appServer: P256PrivateKey
    let browser: WebPushReceiver
    private let router: Router

    init() async throws {
        world = try await AppServerWorld()
        appServer = try .generate()
        browser = try .generate()
        router = WebPushRoutes.router(
            endpoints: BrowserEndpoints(registrations: world.store, tokens: world.tokens),
            subscriber: BrowserSubscriber(store: world.store, clock: world.clock, sealing: world.sealing),
            pipeline: world.pipeline, directory: world.store, senders: world.senders,
            origins: PushServiceOrigins(serverURLs: [Self.origin, "http://127.0.0.1:9599"]), clock: world.clock)
    }

    var applicationKey: String { Base64URL.encode(appServer.publicKey.x963) }

    /// Registers the browser itself, as `register3` does.
    ///
    /// - Parameter sender: The app server's key when `nil`.
    func register(
        sender: String? = nil, channel: Registration.Channel = .device, androidID: UInt64 = 77
    ) async throws -> (registration: Registration, token: String) {
        let project = sender.flatMap { ProjectNumber($0) } ?? ProjectNumber(value: 0)
        let registration = try await world.store.register(
            RegistrationDraft(
                project: project, app: nil, fid: "cBrowserAAA", bundleID: "org.chromium.linux", channel: channel,
                isFIDMode: false, androidID: androidID, sender: sender ?? applicationKey,
                subtype: "wp:https://a.example/#1-V2", scope: "GCM", time: world.clock.now(),
                freshNonce: world.sealing.randomInteger()))
        return (registration, world.tokens.token(of: registration))
    }

    func vapid(origin: String = BrowserWorld.origin, key: P256PrivateKey? = nil) throws -> (String, String) {
        let signer = VAPIDSigner(key: key ?? appServer, subject: nil)
        return ("authorization", try signer.authorization(for: origin, now: world.clock.now()))
    }

    func call(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = [],
        authority: String = "push.example.com"
    ) async -> HTTPResponse {
        let head = HTTPRequestHead(
            method: method, target: target, authority: authority, fields: HTTPFields(fields))
        return await router.respond(to: HTTPRequest(head: head, body: body))
    }

    func call(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: String
    ) async -> HTTPResponse {
        await call(method, target, fields: fields, body: Array(body.utf8))
    }

    var bodyLimit: Int {
        router.bodyLimitBytes(for: HTTPRequestHead(method: "POST", target: "/fcm/send/x"))
    }

    /// The members of a browser's subscription, ready for a form or JSON.
    var keys: (p256dh: String, auth: String) {
        (Base64URL.encode(browser.subscription.publicPoint), Base64URL.encode(browser.subscription.authSecret))
    }

    func live(_ token: String) throws -> Registration? {
        guard let content = world.tokens.decode(token) else { return nil }
        return try world.store.registration(content.registration).flatMap { $0.ending == nil ? $0 : nil }
    }
}

extension HTTPResponse {
    var json: JSONObject { (try? JSONValue(parsing: body))?.object ?? [:] }
}
