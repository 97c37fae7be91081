public import JSON
import Timekeeping

extension APNsSimulator {
    // MARK: Keys and certificates

    /// Makes a signing key known, or replaces it.
    public func register(_ key: ProviderKey) {
        service.withState { $0.keys.register(key) }
    }

    /// Revokes a signing key.
    public func removeKey(id: String) {
        service.withState { $0.keys.remove(id: id) }
    }

    /// Says what a client certificate may do, instead of what is written in it. Connections opened later know.
    ///
    /// - Parameter fingerprint: SHA-256 of its DER, lower-case hexadecimal.
    public func register(_ certificate: ClientCertificate, fingerprint: String) {
        service.withState { $0.certificates[fingerprint] = certificate }
    }

    /// Changes the rules of judging; requests after it see them.
    public func changeRules(_ change: (inout JudgeRules) -> Void) {
        service.withState { change(&$0.judge.rules) }
    }

    /// Changes the rules of storage and delivery.
    public func changeStorage(_ change: (inout StorageRules) -> Void) {
        service.withState { change(&$0.devices.rules) }
    }

    // MARK: Faults

    /// Adds faults after the others.
    ///
    /// - Returns: Their numbers.
    @discardableResult
    public func add(_ rules: FaultRule...) -> [Int] {
        add(rules)
    }

    @discardableResult
    public func add(_ rules: [FaultRule]) -> [Int] {
        service.withState { $0.script.add(rules) }
    }

    /// Adds the faults of the emulator's `POST faults` with the door `apns`; see `FaultRule.rules(emulator:now:)`.
    @discardableResult
    public func addFaults(emulator json: JSONObject) throws(ControlError) -> [Int] {
        add(try FaultRule.rules(emulator: json, now: service.clock.now()))
    }

    /// - Returns: Whether there was such a fault.
    @discardableResult
    public func removeFault(_ number: Int) -> Bool {
        service.withState { $0.script.remove(id: number) }
    }

    public func removeAllFaults() {
        service.withState { $0.script.removeAll() }
    }

    // MARK: What was seen

    /// The latest requests, oldest first.
    public var requests: [RequestRecord] { service.withState { $0.log.requests } }

    /// The latest connections, oldest first.
    public var connections: [ConnectionRecord] { service.withState { $0.log.connections } }

    /// Answers by reason; accepted pushes count under `Accepted`.
    public var counts: [String: Int] { service.withState { $0.log.counts } }

    /// The request listing of the emulator: `{"pushes":[{"path","headers","body"}]}`, the requests that reached the
    /// point of being a push.
    public var pushListing: [UInt8] {
        var writer = JSONWriter(reservingBytes: 4096)
        writer.beginObject()
        writer.key("pushes")
        writer.beginArray()
        for request in requests where request.isPush {
            PushListing.write(path: request.path, fields: request.fields, body: request.body, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// Forgets requests, connections, counts and faults; devices, tokens and keys stay.
    public func resetLog() {
        service.withState { state in
            state.log.removeAll()
            state.script.removeAll()
            state.acceptedConnections = 0
        }
    }

    /// Forgets everything but the signing keys and certificates: also devices, their tokens, and channels.
    public func reset() {
        resetLog()
        service.withState { state in
            state.devices = DeviceDirectory(rules: state.devices.rules)
            state.channels = [:]
        }
    }

    /// Waits until the log satisfies the condition.
    ///
    /// - Returns: Whether it did in time.
    public func waitForRequests(
        milliseconds: Int = 10_000, until isSatisfied: @escaping @Sendable ([RequestRecord]) -> Bool
    ) async -> Bool {
        await service.waitUntil(milliseconds: milliseconds, on: loops) { isSatisfied($0.log.requests) }
    }
}
