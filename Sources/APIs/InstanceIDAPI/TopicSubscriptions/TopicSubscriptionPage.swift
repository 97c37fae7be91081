import Bytes
import GoogleAPI
import PushModel

/// Which part of a list of topic subscriptions is asked for. Source: FCM HTTP v1 reference, `pageSize` and `pageToken`.
struct TopicSubscriptionPage: Sendable, Equatable {
    static let defaultSize = 1000
    static let maximumSize = 2000

    var size: Int
    /// The last topic of the page before.
    var last: TopicName?

    init(_ request: RoutedRequest) throws(GoogleError) {
        size = try Self.size(request.queryValue("pageSize") ?? request.queryValue("page_size"))
        last = try Self.topic(ofToken: request.queryValue("pageToken") ?? request.queryValue("page_token"))
    }

    static func token(after topic: TopicName) -> String {
        Base64URL.encode(Array(topic.text.utf8))
    }

    private static func size(_ text: String?) throws(GoogleError) -> Int {
        guard let text, !text.isEmpty else { return defaultSize }
        guard let size = Int(text), size >= 0 else {
            throw .invalidField("page_size", "Invalid page size: it must be a number that is not negative.")
        }
        return size == 0 ? defaultSize : min(size, maximumSize)
    }

    private static func topic(ofToken text: String?) throws(GoogleError) -> TopicName? {
        guard let text, !text.isEmpty else { return nil }
        guard let bytes = Base64URL.decode(text), let name = String(validating: bytes, as: UTF8.self),
            let topic = TopicName(name)
        else { throw .invalidField("page_token", "Invalid page token.") }
        return topic
    }
}
