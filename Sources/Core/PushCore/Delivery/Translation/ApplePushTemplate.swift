public import PushModel
public import Timekeeping

/// A message rendered for Apple devices, but for what differs from one device to the next.
public struct ApplePushTemplate: Sendable {
    /// Source: Apple, "Generating a remote notification".
    public static let maximumPayloadBytes = 4_096
    public static let maximumVoIPPayloadBytes = 5_120

    /// When trying ends.
    public let expiresAt: Timestamp
    public let pushType: String
    private let payloadStart: [UInt8]
    private let topic: String?
    private let givenPushID: String?
    private let headers: [Message.DataEntry]
    private let liveActivityToken: String?

    init(
        payload: [UInt8], pushType: String, topic: String?, pushID: String?, headers: [Message.DataEntry],
        liveActivityToken: String?, expiresAt: Timestamp
    ) throws(SendError) {
        payloadStart = payload
        self.pushType = pushType
        self.topic = topic
        givenPushID = pushID
        self.headers = headers
        self.liveActivityToken = liveActivityToken
        self.expiresAt = expiresAt
        _ = try self.payload(fid: "")
    }

    /// The push for one device.
    ///
    /// - Parameters:
    ///   - address: The device's APNs token and its environment.
    ///   - pushID: The `apns-id`, a lower-case UUID; the sender's own wins.
    /// - Throws: `messageTooBig`.
    public func push(
        to recipient: Registration, at address: APNsAddress, pushID: String
    ) throws(SendError) -> ApplePush {
        var headers = headers
        headers.append(.init(key: "apns-topic", value: topic ?? recipient.bundleID + topicSuffix))
        headers.append(.init(key: "apns-id", value: givenPushID ?? pushID))
        return ApplePush(
            pathToken: liveActivityToken ?? address.token.hex, environment: address.environment, headers: headers,
            payload: try payload(fid: recipient.fid), expiresAt: expiresAt)
    }

    /// The exact bytes for a device.
    func payload(fid: String) throws(SendError) -> [UInt8] {
        let payload = ApplePayload.complete(payloadStart, fid: fid)
        let limit = pushType == "voip" ? Self.maximumVoIPPayloadBytes : Self.maximumPayloadBytes
        guard payload.count <= limit else { throw SendError(.messageTooBig, "iOS message is too big") }
        return payload
    }

    /// What APNs wants after the bundle id. Source: Apple, "Sending notification requests to APNs", `apns-topic`.
    private var topicSuffix: String {
        switch pushType {
        case "voip": ".voip"
        case "complication": ".complication"
        case "fileprovider": ".pushkit.fileprovider"
        case "location": ".location-query"
        case "liveactivity": ".push-type.liveactivity"
        case "pushtotalk": ".voip-ptt"
        case "widgets": ".push-type.widgets"
        case "controls": ".push-type.controls"
        default: ""
        }
    }
}
