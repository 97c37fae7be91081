import FirebasePlatform
import MCSWire

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message of the app to its server.
struct UpstreamMessage: Sendable, Equatable {
    /// Of keys and values together. Unit: UTF-16 code units, bytes for binary data.
    static let maximumSize = 4096
    /// A day. Longer times to live, and negative ones, count as this.
    static let maximumTimeToLiveSeconds: Int64 = 86400

    private static let rawDataKey = "rawData"
    private static let collapseKey = "collapse_key"

    /// What goes over the wire; its persistent id is given by the queue.
    var stanza: DataMessageStanza

    /// The id that the app gave.
    var messageID: String { stanza.id }

    /// Unit: seconds.
    var timeToLive: Int64 { Int64(stanza.timeToLive ?? 0) }

    /// Whether it waits for the channel, across launches. Others go now or never, and nobody is told.
    var isKept: Bool { timeToLive != 0 && !messageID.isEmpty }

    /// The first second at which it is too late.
    var expiryTime: Date { Date(timeIntervalSince1970: Double((stanza.sent ?? 0) + timeToLive + 1)) }
}

extension UpstreamMessage {
    /// Reads what the app handed over.
    ///
    /// - Parameter ignored: Told of each key whose value cannot travel.
    /// - Throws: `MessagingError` 1003 or 1005.
    init(
        _ data: [AnyHashable: Any], to: String, messageID: String, timeToLive: Int64, category: String, at now: Date,
        ignored: (AnyHashable) -> Void
    ) throws(MessagingError) {
        guard !to.isEmpty else { throw .missingReceiver }
        stanza = DataMessageStanza()
        stanza.id = messageID
        stanza.to = to
        stanza.category = category
        let isUsual = (0...Self.maximumTimeToLiveSeconds).contains(timeToLive)
        stanza.timeToLive = Int32(isUsual ? timeToLive : Self.maximumTimeToLiveSeconds)
        stanza.sent = Int64(now.timeIntervalSince1970.rounded(.down))
        var size = 0
        for (key, value) in data {
            guard let name = key.base as? String else {
                ignored(key)
                continue
            }
            if name == Self.rawDataKey, let bytes = value as? Data {
                stanza.rawData = Array(bytes)
                size += name.utf16.count + bytes.count
            } else if let text = Self.text(value) {
                stanza.appData.append(.init(key: name, value: text))
                size += name.utf16.count + text.utf16.count
            } else {
                ignored(key)
            }
        }
        guard size <= Self.maximumSize else { throw .upstreamTooLarge }
        stanza.appData.sort { $0.key < $1.key }
        stanza.token = stanza.appData.first { $0.key == Self.collapseKey }?.value ?? ""
    }

    /// Texts as they are, numbers in decimal.
    private static func text(_ value: Any) -> String? {
        switch PayloadValue(any: value) {
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .real(let number): Int64(exactly: number).map { String($0) } ?? String(number)
        case .null, .array, .dictionary, nil: nil
        }
    }
}
