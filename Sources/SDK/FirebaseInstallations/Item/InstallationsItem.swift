import JSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// One installation as it is stored: its id, and once registered its tokens.
package struct InstallationsItem: Sendable, Hashable {
    package struct AuthToken: Sendable, Hashable {
        package var token: String
        package var expirationDate: Date
    }

    package var id: String
    /// Proves the ownership of the installation. Empty until registered.
    package var refreshToken = ""
    package var authToken: AuthToken?
    /// The Instance ID default token of an app that comes from that library.
    package var iidDefaultToken: String?

    package init(id: String, iidDefaultToken: String? = nil) {
        self.id = id
        self.iidDefaultToken = iidDefaultToken
    }

    package var isRegistered: Bool { !refreshToken.isEmpty }

    /// The auth token, unless less than an hour is left of it.
    package func usableAuthToken(at now: Date) -> AuthToken? {
        authToken.flatMap { $0.expirationDate.timeIntervalSince(now) >= 3600 ? $0 : nil }
    }
}

extension InstallationsItem {
    private static let storageVersion: Int64 = 1

    package var stored: [UInt8] {
        var object: JSONObject = [
            "firebaseInstallationID": .string(id),
            "registrationStatus": .integer(isRegistered ? 2 : 1),
            "storageVersion": .integer(Self.storageVersion),
        ]
        if isRegistered { object["refreshToken"] = .string(refreshToken) }
        if let authToken {
            object["authToken"] = [
                "status": 2, "token": .string(authToken.token),
                "expirationDate": .integer(Int64(authToken.expirationDate.timeIntervalSince1970)),
                "storageVersion": .integer(Self.storageVersion),
            ]
        }
        if let iidDefaultToken { object["IIDDefaultToken"] = .string(iidDefaultToken) }
        return object.encoded
    }

    /// `nil` for anything this SDK did not write.
    package init?(stored bytes: [UInt8]) {
        guard let object = try? JSONValue(parsing: bytes, options: JSONOptions(maximumBytes: 1 << 20)).object,
            object["storageVersion"]?.int64 == Self.storageVersion,
            let id = object["firebaseInstallationID"]?.string, InstallationID.isValid(id)
        else { return nil }
        self.init(id: id, iidDefaultToken: object["IIDDefaultToken"]?.string)
        guard object["registrationStatus"]?.int64 == 2, let refresh = object["refreshToken"]?.string else { return }
        refreshToken = refresh
        let token = object["authToken"]
        guard let text = token?["token"]?.string, let seconds = token?["expirationDate"]?.int64 else { return }
        authToken = AuthToken(token: text, expirationDate: Date(timeIntervalSince1970: Double(seconds)))
    }
}
