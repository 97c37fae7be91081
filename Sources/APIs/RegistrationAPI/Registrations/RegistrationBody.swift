import Bytes
import Crypto
import GoogleAPI
import JSON
import PushCore
import PushModel
import WebPushWire

/// The body of `POST /v1/projects/{p}/registrations`, checked.
///
/// Source: FCM registration API v1 as the Apple and JavaScript SDKs call it.
struct RegistrationBody {
    /// The default key of browsers, when the body names none.
    static let defaultApplicationKey = ClassicRegistrar.defaultBrowserKey
    private static let maximumVersionCharacters = 64

    var form: InstanceRegistrar.Form
    var appVersion: String
    var sdkVersion: String
    /// What the answer repeats.
    var echo: (name: String, value: JSONObject)

    init(_ body: JSONObject) throws(GoogleError) {
        sdkVersion = try Self.text(body, "fcm_sdk_version", "fcmSdkVersion", in: nil) ?? ""
        let apple = try Self.part(body, "ios")
        let web = try Self.part(body, "web")
        switch (apple, web) {
        case (let apple?, nil):
            form = try Self.appleForm(apple)
            appVersion = try Self.text(apple, "app_version", "appVersion", in: "ios") ?? ""
            echo = ("ios", apple)
        case (nil, let web?):
            form = try Self.webForm(web)
            appVersion = ""
            echo = ("web", web)
        default:
            throw .invalidField("registration", "Exactly one of ios and web must be set.")
        }
        guard max(appVersion.utf8.count, sdkVersion.utf8.count) <= Self.maximumVersionCharacters else {
            throw .invalidField("registration.fcm_sdk_version", "A version is too long.")
        }
    }

    private static func appleForm(_ part: JSONObject) throws(GoogleError) -> InstanceRegistrar.Form {
        let hex = try text(part, "apns_token", "apnsToken", in: "ios") ?? ""
        guard let token = APNsDeviceToken(hex: hex) else {
            throw .invalidField("ios.apns_token", "Invalid value for apns_token: it must be hexadecimal.")
        }
        let environment: APNsEnvironment
        switch try text(part, "apns_environment", "apnsEnvironment", in: "ios") {
        case "SANDBOX": environment = .sandbox
        case "PROD": environment = .production
        default:
            throw .invalidField(
                "ios.apns_environment", "Invalid value for apns_environment: it must be SANDBOX or PROD.")
        }
        return .apple(
            APNsAddress(token: token, environment: environment),
            bundleID: try text(part, "bundle_id", "bundleId", in: "ios"))
    }

    private static func webForm(_ part: JSONObject) throws(GoogleError) -> InstanceRegistrar.Form {
        let endpoint = try text(part, "endpoint", "endpoint", in: "web") ?? ""
        guard isEndpoint(endpoint) else {
            throw .invalidField("web.endpoint", "Invalid value for endpoint: it must be an https URL.")
        }
        let p256dh = try text(part, "p256dh", "p256dh", in: "web") ?? ""
        guard isPoint(p256dh) else {
            throw .invalidField("web.p256dh", "Invalid value for p256dh: it must be a P-256 point of 65 bytes.")
        }
        let auth = try text(part, "auth", "auth", in: "web") ?? ""
        guard Base64URL.decode(auth)?.count == 16 else {
            throw .invalidField("web.auth", "Invalid value for auth: it must be 16 bytes.")
        }
        return .web(
            endpoint: endpoint, p256dh: p256dh, auth: auth, applicationKey: try applicationKey(part))
    }

    /// Absent, `null` and empty all mean the default key.
    private static func applicationKey(_ part: JSONObject) throws(GoogleError) -> String {
        let key = try text(part, "application_pub_key", "applicationPubKey", in: "web") ?? ""
        guard !key.isEmpty else { return defaultApplicationKey }
        guard isPoint(key) else {
            throw .invalidField(
                "web.application_pub_key", "Invalid value for application_pub_key: it must be a P-256 point.")
        }
        return key
    }

    /// An https URL; or any URL that ends in a token of ours, because clients under test name servers without TLS.
    private static func isEndpoint(_ text: String) -> Bool {
        if PushEndpoint(text) != nil { return true }
        guard text.hasPrefix("http://"), BrowserEndpoints.token(in: text) != nil else { return false }
        return PushEndpoint("https://" + text.dropFirst("http://".count)) != nil
    }

    /// On the curve, not only of the right length.
    private static func isPoint(_ text: String) -> Bool {
        Base64URL.decode(text).map { (try? P256PublicKey(x963: $0)) != nil } ?? false
    }

    private static func part(_ body: JSONObject, _ name: String) throws(GoogleError) -> JSONObject? {
        switch body[name] {
        case nil, .null: return nil
        case .object(let object): return object
        default: throw .invalidField(name, "Invalid value at '\(name)': it must be an object.")
        }
    }

    private static func text(
        _ object: JSONObject, _ snake: String, _ camel: String, in part: String?
    ) throws(GoogleError) -> String? {
        switch object[firstOf: snake, camel] {
        case nil, .null: return nil
        case .string(let text): return text
        default:
            let field = part.map { $0 + "." + snake } ?? snake
            throw .invalidField(field, "Invalid value at '\(field)' (TYPE_STRING)")
        }
    }
}
