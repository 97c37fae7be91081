import HTTPSemantics
import PushCore
import PushModel

/// The form body of `/c2dm/register3` and `/register`, with what the headers add.
///
/// Chromium sends `scope` and `X-scope`, Android only the second; either spelling counts. Apple's body is not
/// percent-encoded.
struct RegisterForm: Sendable {
    /// More fields than any client sends.
    static let maximumFields = 100

    private let fields: [String: String]
    private let headers: HTTPFields

    /// `nil` when the body is not a form of at most `maximumFields` fields.
    init?(_ request: HTTPRequest) {
        guard let text = String(validating: request.body, as: UTF8.self) else { return nil }
        let pairs = PercentEncoding.formPairs(text)
        guard pairs.count <= Self.maximumFields else { return nil }
        fields = Dictionary(pairs.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { _, last in last })
        headers = request.head.fields
    }

    private subscript(names: String...) -> String {
        for name in names {
            if let value = fields[name], !value.isEmpty { return value }
        }
        return ""
    }

    /// Whether the form asks to unregister.
    var isDeletion: Bool {
        ["true", "1"].contains(self["delete", "x-delete"])
    }

    /// Whether the caller is the old Chromium call that expects `deleted=<app>`.
    var expectsDeletedLine: Bool {
        fields["gcm_unreg_caller"] != nil || self["appid", "x-appid"].isEmpty
    }

    /// Whether Apple's SDK calls: it alone splits the answer into lines.
    var isApple: Bool {
        self["plat"] == "2" || !self["apns_token"].isEmpty
    }

    /// The topic that the form is about: `/topics/<name>`. A scope of that form says it too.
    var topic: String? {
        let topic = self["x-gcm.topic", "gcm.topic"]
        if !topic.isEmpty { return topic }
        let scope = self["x-scope", "scope"]
        return scope.hasPrefix("/topics/") ? scope : nil
    }

    var app: String { self["app"] }

    var subtype: String { self["x-subtype"] }

    /// The request in the terms of the core.
    var registration: ClassicRegistration {
        ClassicRegistration(
            device: AidLogin(headers["authorization"]).map(\.device), deviceField: self["device"], app: app,
            sender: self["sender"], subtype: subtype, scope: self["x-scope", "scope"],
            appInstance: self["appid", "x-appid"],
            firebaseAppID: self["gmp_app_id", "x-gmp_app_id", "x-gms_app_id"],
            installationAuth: headers["x-goog-firebase-installations-auth"]
                ?? self["x-goog-firebase-installations-auth"],
            apnsToken: self["apns_token"], isApple: isApple,
            appVersion: self["app_ver", "x-app_ver_name"], sdkVersion: self["x-cliv"])
    }
}

/// `Authorization: AidLogin <android id>:<security token>`, both decimal.
struct AidLogin: Sendable, Equatable {
    var device: DeviceCredentials

    init?(_ header: String?) {
        let words = (header ?? "").split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "aidlogin" else { return nil }
        let parts = words[1].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Self.decimal(parts[0]), let token = Self.decimal(parts[1]) else {
            return nil
        }
        device = DeviceCredentials(androidID: id, securityToken: token)
    }

    /// Some clients write the number as a signed integer.
    private static func decimal(_ text: Substring) -> UInt64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        return UInt64(text) ?? Int64(text).map { UInt64(bitPattern: $0) }
    }
}
