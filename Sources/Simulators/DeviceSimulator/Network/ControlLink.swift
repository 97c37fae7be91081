import Bytes
public import EventLoop
public import HTTPClient
import HTTPSemantics
import JSON
import Synchronization
import Timekeeping

/// A virtual iPhone's line to an APNs simulator in another process, over its control API.
public final class ControlLink: APNsLink {
    /// The simulator did not answer as expected.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    private static let waitMilliseconds = 20_000

    private let base: String
    private let device: String
    private let client: HTTPClient
    private let loop: EventLoop
    private let reader = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - base: The URL below which the control API lies, without a slash at its end.
    ///   - client: Its deadline must be longer than 20 seconds.
    public init(base: String, device: String, client: HTTPClient, loop: EventLoop) {
        self.base = base
        self.device = device
        self.client = client
        self.loop = loop
    }

    public func register(bundleID: String, sandbox: Bool) async throws -> [UInt8] {
        _ = try await call("POST", "/devices", ["device": .string(device)])
        let answer = try await call(
            "POST", "/devices/\(device)/apps",
            ["bundle_id": .string(bundleID), "environment": .string(sandbox ? "sandbox" : "production")])
        guard let token = answer["token"]?.string.flatMap({ Hex.decode($0) }) else {
            throw Failure(description: "The simulator gave no device token.")
        }
        return token
    }

    public func uninstall(bundleID: String) async {
        _ = try? await call("DELETE", "/devices/\(device)/apps/\(bundleID)")
    }

    public func setOnline(_ isOnline: Bool) async {
        _ = try? await call("POST", "/devices/\(device)", ["online": .bool(isOnline)])
    }

    public func onPush(_ handler: @escaping @Sendable (ArrivingPush) -> Void) {
        let task = Task(executorPreference: loop) { [weak self] in
            var seen: Int64 = 0
            while !Task.isCancelled {
                guard let next = await self?.pushes(after: seen) else { return }
                for push in next {
                    seen = max(seen, push.sequence)
                    handler(push.push)
                }
            }
        }
        reader.withLock { $0 = task }
    }

    /// The pushes after a place; waits for the first. After a failure a short rest, because the device may not exist yet.
    private func pushes(after seen: Int64) async -> [(sequence: Int64, push: ArrivingPush)] {
        do {
            let answer = try await call(
                "GET", "/devices/\(device)/pushes?after=\(seen)&wait_ms=\(Self.waitMilliseconds)")
            return (answer["pushes"]?.array ?? []).compactMap { Self.push($0) }
        } catch {
            await rest()
            return []
        }
    }

    private func rest() async {
        await withCheckedContinuation { continuation in
            let isRunning = loop.execute { [loop] in
                loop.schedule(after: .milliseconds(200)) { continuation.resume() }
            }
            if !isRunning { continuation.resume() }
        }
    }

    private static func push(_ value: JSONValue) -> (sequence: Int64, push: ArrivingPush)? {
        guard let object = value.object, let sequence = object["sequence"]?.int64,
            let bundleID = object["bundle_id"]?.string, let body = object["payload"]?.string
        else { return nil }
        return (
            sequence,
            ArrivingPush(
                bundleID: bundleID, pushType: object["push_type"]?.string ?? "",
                collapseID: object["collapse_id"]?.string, apnsID: object["apns_id"]?.string ?? "",
                payload: Array(body.utf8),
                deliveredAt: Timestamp(milliseconds: object["delivered_ms"]?.int64 ?? 0))
        )
    }

    private func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONObject {
        guard let url = HTTPURL(base + path) else { throw Failure(description: "“\(base)” is no URL.") }
        let response = try await client.send(
            HTTPClientRequest(
                method: method, url: url, fields: HTTPFields([("content-type", "application/json")]),
                body: body?.encoded ?? []))
        guard response.status == 200, let object = (try? JSONValue(parsing: response.body))?.object else {
            throw Failure(description: "The simulator answered \(response.status) to \(method) \(path).")
        }
        return object
    }

    public func close() async {
        reader.withLock { $0.take() }?.cancel()
        _ = try? await call("DELETE", "/devices/\(device)")
    }
}
