import Bytes
import HTTPSemantics
import JSON
import Timekeeping

extension ServiceState {
    /// The longest that a channel keeps its latest push.
    private static let maximumStorageSeconds: Int64 = 8 * 3600

    /// Carries out a channel request of a genuine sender.
    mutating func channelReply(
        _ request: APNsRequest, on identity: inout ConnectionIdentity, now: Timestamp
    ) throws(Rejection) -> Reply {
        let wanted = try ChannelRequest(method: request.method, path: request.path)
        let environment = identity.environment ?? SimulatedEnvironment(host: request.authority) ?? .sandbox
        let key = try judge.authenticate(request, on: &identity, environment: environment, keys: &keys, now: now)
        guard key?.allows(bundleID: wanted.bundleID, topic: wanted.bundleID) ?? true else {
            throw Rejection(.topicMismatch)
        }
        let requestID = request.fields["apns-request-id"]
        if let requestID, !PushHeaders.isUUID(requestID) { throw Rejection(.badMessageID) }
        var reply = try perform(wanted, request, environment: environment, now: now)
        reply.extraFields.append("apns-request-id", requestID ?? Self.newUUID())
        if let key { identity.bind(to: key, environment: environment) }
        return reply
    }

    private mutating func perform(
        _ wanted: ChannelRequest, _ request: APNsRequest, environment: SimulatedEnvironment, now: Timestamp
    ) throws(Rejection) -> Reply {
        switch wanted.operation {
        case .create: return try createChannel(wanted.bundleID, request, environment: environment)
        case .list:
            let ids = channels[environment, default: ChannelDirectory()].ids(of: wanted.bundleID)
            return Reply(status: 200, json: ["channels": .array(ids.map { .string($0) })])
        case .read:
            let (_, channel) = try channel(of: request, wanted.bundleID, environment: environment)
            let policy: JSONValue = channel.storesLatest ? 1 : 0
            return Reply(status: 200, json: ["message-storage-policy": policy, "push-type": "LiveActivity"])
        case .delete:
            let (id, _) = try channel(of: request, wanted.bundleID, environment: environment)
            channels[environment]?.remove(id, of: wanted.bundleID)
            return Reply(status: 204)
        case .broadcast:
            let (id, channel) = try channel(of: request, wanted.bundleID, environment: environment)
            let push = try broadcast(request, channel: channel, bundleID: wanted.bundleID, now: now)
            deliver(push, toFollowersOf: id, bundleID: wanted.bundleID, environment: environment, now: now)
            return Reply(status: 200)
        }
    }

    private mutating func createChannel(
        _ bundleID: String, _ request: APNsRequest, environment: SimulatedEnvironment
    ) throws(Rejection) -> Reply {
        let storesLatest = try ChannelRequest.storagePolicy(request.body)
        let id = try channels[environment, default: ChannelDirectory()].create(
            storesLatest: storesLatest, for: bundleID)
        var reply = Reply(status: 201)
        reply.extraFields.append("apns-channel-id", id)
        return reply
    }

    private func channel(
        of request: APNsRequest, _ bundleID: String, environment: SimulatedEnvironment
    ) throws(Rejection) -> (id: String, channel: Channel) {
        guard let id = request.fields["apns-channel-id"], !id.isEmpty else { throw Rejection(.missingChannelID) }
        guard Base64.decode(id) != nil else { throw Rejection(.badChannelID) }
        guard let channel = channels[environment]?.channel(id, of: bundleID) else {
            throw Rejection(.channelNotRegistered)
        }
        return (id, channel)
    }

    // MARK: Broadcast

    private func broadcast(
        _ request: APNsRequest, channel: Channel, bundleID: String, now: Timestamp
    ) throws(Rejection) -> JudgedPush {
        let headers = try PushHeaders(request.fields)
        guard let type = headers.type else { throw Rejection(.missingPushType) }
        guard type == .liveactivity else { throw Rejection(.invalidPushType) }
        guard channel.storesLatest || headers.expiration == .never else { throw Rejection(.badExpirationDate) }
        guard !request.body.isEmpty else { throw Rejection(.payloadEmpty) }
        guard request.body.count <= ChannelRequest.maximumBroadcastBytes else { throw Rejection(.payloadTooLarge) }
        guard (try? JSONValue(parsing: request.body))?.object != nil else {
            throw Rejection(judge.rules.malformedPayloadReason)
        }
        var fields: [String: String] = [:]
        for line in request.fields.lines where line.name != "authorization" { fields[line.name] = line.value }
        return JudgedPush(
            id: Self.newUUID(), token: "", topic: bundleID + type.topicSuffix, type: type,
            priority: headers.priority, expiration: expiration(headers.expiration, now: now), headers: fields,
            payload: request.body)
    }

    private func expiration(_ wanted: PushExpiration, now: Timestamp) -> PushExpiration {
        let limit = now.seconds + Self.maximumStorageSeconds
        return switch wanted {
        case .never: .never
        case .unspecified: .until(seconds: limit)
        case .until(let seconds): .until(seconds: min(seconds, limit))
        }
    }

    /// Each follower gets it at the address of its app.
    private mutating func deliver(
        _ push: JudgedPush, toFollowersOf id: String, bundleID: String, environment: SimulatedEnvironment,
        now: Timestamp
    ) {
        for device in channels[environment]?.devices(following: id) ?? [] {
            guard let token = devices.devices[device]?.apps[bundleID]?.tokens.values.min() else { continue }
            var copy = push
            copy.token = token
            _ = devices.accept(copy, now: now)
        }
    }
}

extension Reply {
    fileprivate init(status: Int, json: JSONObject) {
        self.init(status: status)
        content = json.encoded
    }
}
