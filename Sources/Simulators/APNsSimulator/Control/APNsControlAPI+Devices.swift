import Bytes
import JSON
import Timekeeping

extension APNsControlAPI {
    func devices(_ call: ControlCall) async throws(ControlError) -> JSONValue? {
        let segments = call.segments
        switch (call.method, segments.count) {
        case ("GET", 1):
            let devices = simulator.service.withState { $0.devices.devices.values.sorted { $0.id < $1.id } }
            return ["devices": .array(devices.map(\.json))]
        case ("POST", 1): return try makeDevice(call)
        default: break
        }
        guard segments.count > 1, hasDevice(segments[1]) else { return nil }
        let device = simulator.device(segments[1])
        switch (call.method, segments.count, segments.count > 2 ? segments[2] : "") {
        case ("GET", 2, _): return description(of: device)
        case ("POST", 2, _): return try change(device, call)
        case ("DELETE", 2, _): device.remove()
        case ("POST", 3, "apps"): return ["token": .string(try register(MemberReader(try call.object()), on: device))]
        case ("POST", 4, "apps"): try changeApp(segments[3], on: device, call)
        case ("DELETE", 4, "apps"): device.uninstall(bundleID: segments[3])
        case ("POST", 3, "channels"): try follow(device, call)
        case ("GET", 3, "pushes"): return try await deliveries(to: device, call)
        default: return nil
        }
        return [:]
    }

    private func hasDevice(_ id: String) -> Bool {
        simulator.service.withState { $0.devices.devices[id] != nil }
    }

    private func description(of device: SimulatedDevice) -> JSONValue? {
        simulator.service.withState { $0.devices.devices[device.id] }?.json
    }

    private func makeDevice(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        var members = MemberReader(try call.object())
        let device = simulator.device(try members.string("device") ?? ServiceState.newUUID())
        try setCondition(of: device, &members)
        let apps = members.value("apps")?.array ?? []
        try members.finish()
        for (place, app) in apps.enumerated() {
            _ = try register(try MemberReader(app, path: "apps[\(place)]"), on: device)
        }
        return description(of: device)
    }

    private func change(_ device: SimulatedDevice, _ call: ControlCall) throws(ControlError) -> JSONValue? {
        var members = MemberReader(try call.object())
        try setCondition(of: device, &members)
        try members.finish()
        return description(of: device)
    }

    private func setCondition(of device: SimulatedDevice, _ members: inout MemberReader) throws(ControlError) {
        let online = try members.bool("online")
        let active = try members.bool("active")
        let powerSaving = try members.bool("power_saving")
        if let active { device.setActive(active) }
        if let powerSaving { device.setPowerSaving(powerSaving) }
        if let online { device.setOnline(online) }
    }

    private func register(_ app: MemberReader, on device: SimulatedDevice) throws(ControlError) -> String {
        var members = app
        let bundleID = try members.requiredString("bundle_id")
        let environment = try members.environment() ?? .sandbox
        let type = try members.string("push_type")
        let token = try members.string("token")
        let renewing = try members.bool("renew") ?? false
        try members.finish()
        guard let type = PushType(rawValue: type ?? "alert") else {
            throw ControlError(members.name(of: "push_type"), "is not known")
        }
        if let token, token.isEmpty || Hex.decode(token) == nil {
            throw ControlError(members.name(of: "token"), "must be hexadecimal bytes")
        }
        return device.register(
            bundleID: bundleID, environment: environment, suffix: type.topicSuffix, token: token, renewing: renewing)
    }

    private func follow(_ device: SimulatedDevice, _ call: ControlCall) throws(ControlError) {
        var members = MemberReader(try call.object())
        let channel = try members.requiredString("channel")
        let environment = try members.environment() ?? .sandbox
        let follows = try members.bool("follow") ?? true
        try members.finish()
        if follows {
            device.follow(channel: channel, environment: environment)
        } else {
            device.unfollow(channel: channel, environment: environment)
        }
    }

    private func changeApp(
        _ bundleID: String, on device: SimulatedDevice, _ call: ControlCall
    ) throws(ControlError) {
        var members = MemberReader(try call.object())
        let notifications = try members.bool("notifications")
        let forceQuit = try members.bool("force_quit")
        try members.finish()
        if let notifications { device.setNotificationsEnabled(notifications, bundleID: bundleID) }
        if let forceQuit { device.setForceQuit(forceQuit, bundleID: bundleID) }
    }

    /// Ends a token: `/tokens/TOKEN:end`, `{"reason":"ExpiredToken"}` or `Unregistered`.
    func tokens(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        guard call.method == "POST", call.segments.count == 2, call.segments[1].hasSuffix(":end") else { return nil }
        let token = String(call.segments[1].dropLast(4))
        guard simulator.registration(ofToken: token) != nil else { return nil }
        var members = MemberReader(try call.object())
        let reason = RejectionReason(rawValue: try members.string("reason") ?? "Unregistered")
        try members.finish()
        guard let reason, reason.status == 410 else {
            throw ControlError("reason", "must be \"Unregistered\" or \"ExpiredToken\"")
        }
        simulator.endToken(token, reason: reason)
        return [:]
    }

    private func deliveries(to device: SimulatedDevice, _ call: ControlCall) async throws(ControlError) -> JSONValue? {
        let after = try call.number("after", upTo: Int.max) ?? 0
        if let wait = try call.number("wait_ms", upTo: Self.maximumWaitMilliseconds) {
            let id = device.id
            _ = await simulator.service.waitUntil(milliseconds: wait, on: simulator.loops) { state in
                state.devices.devices[id].map { $0.deliveryCount > after } ?? true
            }
        }
        return ["pushes": .array(device.deliveries(after: after).map(\.json))]
    }
}

extension DeviceState {
    var json: JSONValue {
        [
            "device": .string(id), "online": .bool(isOnline), "active": .bool(isActive),
            "power_saving": .bool(savesPower), "deliveries": .integer(deliveryCount),
            "apps": .array(apps.values.sorted { $0.bundleID < $1.bundleID }.map(\.json)),
        ]
    }
}

extension AppState {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "bundle_id": .string(bundleID), "notifications": .bool(isEnabled), "force_quit": .bool(isForceQuit),
            "tokens": .object(JSONObject(tokens.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        ]
        object["stored_apns_id"] = slot.map { .string($0.push.id) }
        return .object(object)
    }
}

extension DeliveredPush {
    var json: JSONValue {
        var object: JSONObject = [
            "sequence": .integer(sequence), "accept_sequence": .integer(acceptSequence),
            "accepted_ms": .integer(acceptedAt.milliseconds), "delivered_ms": .integer(deliveredAt.milliseconds),
            "device": .string(deviceID), "bundle_id": .string(bundleID), "apns_id": .string(push.id),
            "topic": .string(push.topic), "push_type": .string(push.type.rawValue),
            "priority": .integer(push.priority),
            "headers": .object(
                JSONObject(push.headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            "payload": .string(String(decoding: push.payload, as: UTF8.self)),
        ]
        object["collapse_id"] = push.collapseID.map { .string($0) }
        object["replaces"] = replaces.map { .integer($0) }
        return .object(object)
    }
}
