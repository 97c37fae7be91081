import Bytes
public import GoogleAPI
public import JSON

/// The page of a list that a request asks for: how many, and after which key.
public struct ConsolePage: Sendable, Equatable {
    public static let usualSize = 50
    public static let maximumSize = 200
    static let maximumTokenBytes = 2048

    public let size: Int
    /// The key after which the page begins, as an earlier answer of the same list gave it to `nextPageToken`; `nil` for
    /// the first page. It comes from outside: the list checks it.
    public let key: String?

    /// - Throws: 400 for a size that is no number from 1 to `maximumSize`, and for a token that no answer gave.
    public init(size: String? = nil, token: String? = nil) throws(GoogleError) {
        guard let size = size.map({ Int($0) }) ?? Self.usualSize, 1...Self.maximumSize ~= size else {
            throw .invalidField("pageSize", "pageSize must be a whole number from 1 to \(Self.maximumSize).")
        }
        self.size = size
        guard let token else {
            key = nil
            return
        }
        guard token.utf8.count <= Self.maximumTokenBytes, let bytes = Base64URL.decode(token), !bytes.isEmpty,
            let text = String(validating: bytes, as: UTF8.self)
        else { throw Self.badToken }
        key = text
    }

    /// The key as a whole number.
    public func integerKey() throws(GoogleError) -> Int64? {
        guard let key else { return nil }
        guard let number = Int64(key) else { throw Self.badToken }
        return number
    }

    public static let badToken = GoogleError.invalidField(
        "pageToken", "pageToken must be the nextPageToken of an earlier answer.")

    /// The text that asks for what follows a key.
    public static func token(after key: some CustomStringConvertible) -> String {
        Base64URL.encode(Array(key.description.utf8))
    }

    /// A page's answer.
    ///
    /// - Parameters:
    ///   - items: Up to one more than `size`, by which it is seen that there is another page.
    ///   - key: The key of an item.
    public func answer<Item>(
        _ name: String, _ items: [Item], key: (Item) -> some CustomStringConvertible, json: (Item) -> JSONValue
    ) -> ConsoleAnswer {
        let shown = items.prefix(size)
        let last = items.count > size ? shown.last : nil
        return Self.answer(name, shown.map(json), next: last.map { key($0).description })
    }

    /// A page's answer, of a list that says itself where it goes on.
    public static func answer(_ name: String, _ items: [JSONValue], next: String?) -> ConsoleAnswer {
        var object = JSONObject([(name, .array(items))])
        if let next { object["nextPageToken"] = .string(token(after: next)) }
        return .json(object)
    }

    /// The parameters of every list.
    public static let parameters = [
        ConsoleEndpoint.Parameter(
            "pageSize", .integer(1...Int64(maximumSize)), "How many are wanted; \(usualSize) if it is not said."),
        ConsoleEndpoint.Parameter(
            "pageToken", .text(upTo: maximumTokenBytes, pattern: "^[A-Za-z0-9_-]*$"),
            "The nextPageToken of the page before."),
    ]
}
