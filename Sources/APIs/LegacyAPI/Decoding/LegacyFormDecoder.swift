import HTTPSemantics
import PushCore
import PushModel

/// Reads the plain-text form of `/fcm/send`: one token, data, a few options. Source: legacy HTTP, "Downstream HTTP
/// messages (plain text)".
enum LegacyFormDecoder {
    /// More pairs than a message of 4 KiB could hold.
    static let maximumPairs = 5000
    private static let dataPrefix = "data."

    /// - Throws: `LegacyFormatError` when the body is no form: JSON under the wrong content type, as a rule.
    static func decode(_ body: [UInt8]) throws(LegacyFormatError) -> LegacyRequest {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw LegacyFormatError(text: "The body is not UTF-8")
        }
        let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
        guard first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else {
            throw LegacyFormatError(text: "Error=MissingRegistration")
        }
        let pairs = PercentEncoding.formPairs(text)
        guard pairs.count <= maximumPairs else { throw LegacyFormatError(text: "The form has too many fields") }
        let fields = Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        let token = fields["registration_id"] ?? ""
        return LegacyRequest(
            target: token.isEmpty ? .nobody : .one(token), content: content(pairs, fields),
            isDryRun: isTrue(fields["dry_run"]))
    }

    private static func content(
        _ pairs: [(name: String, value: String)], _ fields: [String: String]
    ) -> Result<LegacyContent, LegacyErrorCode> {
        var content = LegacyContent()
        for pair in pairs where pair.name.utf8.starts(with: dataPrefix.utf8) {
            let key = String(Substring(pair.name.utf8.dropFirst(dataPrefix.utf8.count)))
            guard !key.isEmpty, !DataKeyRules.isReserved(key), key != "aps" else { return .failure(.invalidDataKey) }
            content.data.append(.init(key: key, value: pair.value))
        }
        content.data = lastOfEachKey(content.data)
        content.collapseKey = fields["collapse_key"]
        content.restrictedPackageName = fields["restricted_package_name"]
        guard let seconds = fields["time_to_live"] else { return .success(content) }
        guard let life = Int64(seconds).flatMap({ TimeToLive(seconds: $0) }) else {
            return .failure(.invalidTimeToLive)
        }
        content.timeToLive = life
        return .success(content)
    }

    /// A repeated key keeps its place and takes the later value, as in JSON. Keys are bytes: é in one scalar and in two
    /// are two keys, although Swift's texts are equal.
    private static func lastOfEachKey(_ entries: [Message.DataEntry]) -> [Message.DataEntry] {
        var places: [[UInt8]: Int] = [:]
        var kept: [Message.DataEntry] = []
        for entry in entries {
            let key = [UInt8](entry.key.utf8)
            if let place = places[key] {
                kept[place].value = entry.value
            } else {
                places[key] = kept.count
                kept.append(entry)
            }
        }
        return kept
    }

    private static func isTrue(_ text: String?) -> Bool {
        text == "1" || text?.lowercased() == "true"
    }
}
