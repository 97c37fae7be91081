/// What kind of push a request carries (`apns-push-type`).
///
/// Source: Apple, "Sending notification requests to APNs".
public enum PushType: String, Sendable, Hashable, CaseIterable {
    case alert, background, voip, complication, fileprovider, mdm, location, liveactivity, pushtotalk, widgets, controls

    /// What the topic has after the bundle id.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .location: ".location-query"
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }

    /// The largest payload, in bytes.
    public var maximumPayloadBytes: Int {
        self == .voip ? 5120 : 4096
    }

    /// The bundle id of a topic that fits this type; `nil` when the suffix is another.
    func bundleID(ofTopic topic: String) -> String? {
        guard topic.hasSuffix(topicSuffix), topic.utf8.count > topicSuffix.utf8.count else { return nil }
        return String(topic.dropLast(topicSuffix.count))
    }

    /// The type whose suffix a topic has, for requests without `apns-push-type`.
    static func inferred(fromTopic topic: String) -> PushType {
        allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) } ?? .alert
    }
}
