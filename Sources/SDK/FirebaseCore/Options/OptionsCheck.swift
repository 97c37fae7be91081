/// The checks a configuration must pass. Each failure names the key of `GoogleService-Info.plist`.
package enum OptionsCheck {
    /// - Returns: Where requests of these options go.
    /// - Throws: `FirebaseConfigurationError` for the first value that no server could accept.
    package static func check(_ values: OptionsValues) throws(FirebaseConfigurationError) -> Endpoints {
        guard !values.googleAppID.isEmpty else { throw .missingValue(key: "GOOGLE_APP_ID") }
        guard AppID(values.googleAppID) != nil else {
            throw .malformedValue(
                key: "GOOGLE_APP_ID", reason: "it must look like 1:<number>:ios:<hex digits>")
        }
        guard let apiKey = values.apiKey, !apiKey.isEmpty else { throw .missingValue(key: "API_KEY") }
        guard isAPIKey(apiKey) else {
            throw .malformedValue(
                key: "API_KEY",
                reason: "it must be 39 characters: an A, then letters, digits, - and _")
        }
        return try Endpoints(serverURL: values.serverURL, directChannel: values.directChannel)
    }

    static func isAPIKey(_ text: String) -> Bool {
        text.utf8.count == 39 && text.utf8.first == UInt8(ascii: "A") && text.utf8.allSatisfy(isBase64URL)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// `<version>:<project number>:ios:<hex>`.
package struct AppID: Sendable, Hashable {
    /// 1 today. Others are accepted and logged.
    package var version: String

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[2] == "ios",
            Self.isNonEmpty(parts[0], of: Self.isDigit), Self.isNonEmpty(parts[1], of: Self.isDigit),
            Self.isNonEmpty(parts[3], of: Self.isHex)
        else { return nil }
        version = String(parts[0])
    }

    private static func isNonEmpty(_ text: Substring, of kind: (UInt8) -> Bool) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(kind)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
