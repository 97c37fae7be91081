import Bytes
import JSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How an app is registered: with a token that belongs to the installation, or with the installation id itself.
enum RegistrationKind: String, Sendable, Hashable {
    case token = "V4"
    case installationID = "FID"
}

/// One registration as it is stored, with everything that decides whether it is still fresh.
struct TokenRecord: Sendable, Hashable {
    /// Whose it is: a sender id, and a scope that is `*` for messaging.
    struct Key: Sendable, Hashable {
        var sender: String
        var scope: String
        var service: String { "\(sender):\(scope)" }
    }

    var key: Key
    var token: String
    var kind: RegistrationKind
    var appVersion: String
    var firebaseAppID: String
    /// `nil` when the token is not bound to APNs.
    var apns: APNSBinding?
    /// `nil` in items of very old SDKs.
    var cachedAt: Date?
    /// The device of the direct channel that a registration of the installation id named, if it did.
    var deviceID: UInt64?
}

extension TokenRecord {
    var stored: [UInt8] {
        var object: JSONObject = [
            "authorized_entity": .string(key.sender), "scope": .string(key.scope), "token": .string(token),
            "app_version": .string(appVersion), "firebase_app_id": .string(firebaseAppID),
            "token_type": .string(kind.rawValue),
        ]
        if let apns {
            object["apns_info"] = ["device_token": .string(apns.hex), "sandbox": .bool(apns.isSandbox)]
        }
        if let cachedAt {
            object["cache_time"] = .integer(Int64((cachedAt.timeIntervalSince1970 * 1000).rounded()))
        }
        if let deviceID { object["device_id"] = .string(String(deviceID)) }
        return object.encoded
    }

    /// `nil` for anything this SDK did not write.
    init?(stored bytes: [UInt8]) {
        guard let object = try? JSONValue(parsing: bytes, options: JSONOptions(maximumBytes: 1 << 20)).object,
            let sender = object["authorized_entity"]?.string, let scope = object["scope"]?.string,
            let token = object["token"]?.string, !token.isEmpty
        else { return nil }
        self.init(
            key: Key(sender: sender, scope: scope), token: token,
            kind: object["token_type"]?.string.flatMap(RegistrationKind.init) ?? .token,
            appVersion: object["app_version"]?.string ?? "", firebaseAppID: object["firebase_app_id"]?.string ?? "")
        if let apns = object["apns_info"], let hex = apns["device_token"]?.string, let bytes = Hex.decode(hex) {
            self.apns = APNSBinding(deviceToken: bytes, isSandbox: apns["sandbox"]?.bool ?? false)
        }
        deviceID = object["device_id"]?.string.flatMap { UInt64($0) }
        cachedAt = object["cache_time"]?.int64.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}
