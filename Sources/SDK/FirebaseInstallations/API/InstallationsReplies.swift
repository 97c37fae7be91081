import JSON

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Reads the replies of the Installations API. Anything incomplete is refused whole.
package enum InstallationsReplies {
    private static let options = JSONOptions(maximumDepth: 32, maximumBytes: 1 << 20)

    /// - Returns: The item as the server registered it. The server may have chosen another id; a reply without an id
    ///   keeps the one that was sent.
    package static func created(
        _ body: [UInt8], for item: InstallationsItem, at now: Date
    ) throws(InstallationsErrorCode) -> InstallationsItem {
        guard let reply = try? JSONValue(parsing: body, options: options),
            let refreshToken = reply["refreshToken"]?.string, isHeaderText(refreshToken)
        else { throw malformed }
        let id = reply["fid"]?.string ?? item.id
        guard InstallationID.isValid(id), let authToken = reply["authToken"] else { throw malformed }
        var registered = InstallationsItem(id: id)
        registered.refreshToken = refreshToken
        registered.authToken = try self.authToken(authToken, at: now)
        return registered
    }

    package static func authToken(
        _ body: [UInt8], at now: Date
    ) throws(InstallationsErrorCode) -> InstallationsItem.AuthToken {
        guard let reply = try? JSONValue(parsing: body, options: options) else { throw malformed }
        return try authToken(reply, at: now)
    }

    private static func authToken(
        _ value: JSONValue, at now: Date
    ) throws(InstallationsErrorCode) -> InstallationsItem.AuthToken {
        guard let token = value["token"]?.string, isHeaderText(token),
            let seconds = value["expiresIn"]?.string.flatMap(seconds(of:))
        else { throw malformed }
        return .init(token: token, expirationDate: now + Double(seconds))
    }

    /// Digits followed by `s`, like `604800s`.
    package static func seconds(of text: String) -> Int64? {
        let digits = text.dropLast()
        guard text.hasSuffix("s"), !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(digits), seconds <= 315_360_000
        else { return nil }
        return seconds
    }

    /// Tokens travel in headers: printable ASCII without spaces.
    private static func isHeaderText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 8192 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static var malformed: InstallationsErrorCode {
        InstallationsErrorCode(.unknown, reason: "The server's reply is incomplete or not JSON.")
    }
}
