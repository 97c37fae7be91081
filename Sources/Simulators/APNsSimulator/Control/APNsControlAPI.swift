public import HTTPSemantics
import JSON
import Timekeeping

/// Commands for a simulator over HTTP, in JSON, so that tests in any language and devices in other processes can use it.
///
/// | call | does |
/// | --- | --- |
/// | `GET /` | ports, counts of answers |
/// | `GET /requests`, `GET /pushes`, `GET /connections` | what senders did; `?after=N&wait_ms=M` waits for requests beyond N |
/// | `POST /connections:strike`, `/connections/N:strike` | a fault, at once |
/// | `GET, POST /keys`, `DELETE /keys/ID` | provider keys |
/// | `POST /certificates` | what a client certificate may do |
/// | `GET, POST /devices`, `GET, POST, DELETE /devices/ID` | devices and their condition |
/// | `POST /devices/ID/apps`, `POST, DELETE /devices/ID/apps/BUNDLE` | apps: registration gives a device token |
/// | `POST /devices/ID/channels` | follows a broadcast channel: `{"channel","environment"?,"follow"?}` |
/// | `GET /devices/ID/pushes` | deliveries; `?after=N&wait_ms=M` waits for the next |
/// | `POST /tokens/TOKEN:end` | makes a token invalid |
/// | `GET, POST, DELETE /faults`, `DELETE /faults/N` | the fault script |
/// | `POST /rules` | numbers and choices of judging and storage |
/// | `POST /reset` | forgets log and faults; with `{"devices":true}` devices too |
public struct APNsControlAPI: HTTPHandler {
    static let maximumWaitMilliseconds = 60_000
    private static let maximumBodyBytes = 1 << 20

    let simulator: APNsSimulator
    private let prefix: String

    /// - Parameter prefix: Path below which the calls lie, without a slash at its end.
    public init(_ simulator: APNsSimulator, prefix: String = "") {
        self.simulator = simulator
        self.prefix = prefix
    }

    public func bodyLimitBytes(for head: HTTPRequestHead) -> Int {
        Self.maximumBodyBytes
    }

    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        do throws(ControlError) {
            guard let call = try ControlCall(request, prefix: prefix), let answer = try await perform(call) else {
                return Self.response(status: 404, ["error": "there is no such call, device, key or connection"])
            }
            return Self.response(status: 200, answer)
        } catch {
            return Self.response(
                status: 400, ["error": .string("\(error.field) \(error.problem)"), "field": .string(error.field)])
        }
    }

    private static func response(status: Int, _ body: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: HTTPFields([("content-type", "application/json")]), body: body.encoded)
    }

    /// - Returns: The answer's body; `nil` when there is no such call or thing.
    private func perform(_ call: ControlCall) async throws(ControlError) -> JSONValue? {
        switch call.segments.first {
        case nil: overview
        case "requests": try await requests(call)
        case "pushes": try? JSONValue(parsing: simulator.pushListing)
        case "connections": try connections(call)
        case "connections:strike": try strike(call, connection: nil)
        case "keys": try keys(call)
        case "certificates": try certificates(call)
        case "devices": try await devices(call)
        case "tokens": try tokens(call)
        case "faults": try faults(call)
        case "rules": try rules(call)
        case "reset": try reset(call)
        default: nil
        }
    }

    private var overview: JSONValue {
        [
            "ports": .array(simulator.ports.map { .integer($0) }),
            "counts": .object(
                JSONObject(
                    simulator.counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })),
        ]
    }

    private func reset(_ call: ControlCall) throws(ControlError) -> JSONValue? {
        guard call.method == "POST", call.segments.count == 1 else { return nil }
        var members = MemberReader(try call.object())
        let includesDevices = try members.bool("devices") ?? false
        try members.finish()
        includesDevices ? simulator.reset() : simulator.resetLog()
        return [:]
    }
}

/// One call taken apart.
struct ControlCall {
    let method: String
    /// The decoded path below the prefix.
    let segments: [String]
    private let query: [(name: String, value: String)]
    private let body: [UInt8]

    /// `nil` when the path lies elsewhere.
    init?(_ request: HTTPRequest, prefix: String) throws(ControlError) {
        guard request.head.path.hasPrefix(prefix) else { return nil }
        method = request.head.method
        var segments: [String] = []
        for part in request.head.path.dropFirst(prefix.count).split(separator: "/") {
            guard let text = PercentEncoding.decode(part) else { throw ControlError("path", "is badly encoded") }
            segments.append(text)
        }
        self.segments = segments
        query = PercentEncoding.formPairs(request.head.query)
        body = request.body
    }

    /// The body; an empty one counts as `{}`.
    func object() throws(ControlError) -> JSONObject {
        guard let object = try value().object else { throw ControlError("body", "must be a JSON object") }
        return object
    }

    func value() throws(ControlError) -> JSONValue {
        if body.isEmpty { return [:] }
        guard let value = try? JSONValue(parsing: body) else { throw ControlError("body", "must be JSON") }
        return value
    }

    /// A whole number of the query.
    func number(_ name: String, upTo limit: Int) throws(ControlError) -> Int? {
        guard let text = query.first(where: { $0.name == name })?.value else { return nil }
        guard let number = Int(text), (0...limit).contains(number) else {
            throw ControlError(name, "must be a whole number from 0 to \(limit)")
        }
        return number
    }
}
