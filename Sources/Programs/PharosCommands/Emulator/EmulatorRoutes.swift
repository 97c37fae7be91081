import APNsSimulator
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import Timekeeping

/// `/emulator/v1/…`: virtual iPhones, what happened to messages, faults and the clock, for tests of other people's code.
/// Only this machine may call it.
struct EmulatorRoutes: Sendable {
    static let root = "/emulator/v1"
    static let longestWaitMilliseconds: Int64 = 60_000

    let emulator: Emulator

    var router: Router {
        var router = Router()
        add(&router, "POST", "devices", startDevices)
        add(&router, "GET", "devices", listDevices)
        for verb in ["foreground", "background", "offline", "online", "tap", "dismiss", "terminate", "uninstall"] {
            add(&router, "POST", "devices/{device}:\(verb)") { (request) async throws(GoogleError) in
                try await change(verb, request)
            }
        }
        add(&router, "POST", "devices/{device}:launch", launchDevice)
        for (verb, subscribes) in [("subscribe", true), ("unsubscribe", false)] {
            add(&router, "POST", "devices/{device}:\(verb)") { (request) async throws(GoogleError) in
                try await changeTopic(request, subscribes: subscribes)
            }
        }
        for (verb, registers) in [("register", true), ("unregister", false)] {
            add(&router, "POST", "devices/{device}:\(verb)") { (request) async throws(GoogleError) in
                try await changeRegistration(request, registers: registers)
            }
        }
        add(&router, "POST", "devices/{device}:send", sendFromDevice)
        add(&router, "GET", "devices/{device}", showDevice)
        add(&router, "DELETE", "devices/{device}", removeDevice)
        add(&router, "GET", "messages", messages)
        add(&router, "POST", "faults", addFault)
        add(&router, "DELETE", "faults", resetFaults)
        add(&router, "POST", "clock", moveClock)
        add(&router, "GET", "clock", showClock)
        add(&router, "POST", "reset", reset)
        router.add(
            Route("GET", PathPattern(Self.root + "/apns"), bodyLimitBytes: 0) { request in
                guard request.isFromThisMachine else { return GoogleError.notFromThisMachine.response }
                return HTTPResponse(json: emulator.simulator.pushListing)
            })
        mountSimulator(on: &router)
        return router
    }

    /// The simulator's own control API, so that devices of other processes can join.
    private func mountSimulator(on router: inout Router) {
        let api = APNsControlAPI(emulator.simulator, prefix: Self.root + "/simulator")
        for method in ["GET", "POST", "DELETE"] {
            router.add(
                Route(method, PathPattern(Self.root + "/simulator/{call...}"), bodyLimitBytes: 1 << 20) { request in
                    guard request.isFromThisMachine else { return GoogleError.notFromThisMachine.response }
                    return await api.respond(to: request.request)
                })
        }
    }

    private func add(
        _ router: inout Router, _ method: String, _ path: String,
        _ action: @escaping @Sendable (RoutedRequest) async throws(GoogleError) -> JSONValue
    ) {
        router.add(
            Route(method, PathPattern(Self.root + "/" + path), bodyLimitBytes: 1 << 16) { request in
                guard request.isFromThisMachine else { return GoogleError.notFromThisMachine.response }
                do throws(GoogleError) {
                    return HTTPResponse(json: try await action(request))
                } catch {
                    return error.response
                }
            })
    }

    // MARK: Messages

    private func messages(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        var query = DeliveryJournal.Query(target: request.queryValue("target"))
        if let text = request.queryValue("message_id") {
            guard let id = MessageID(text.split(separator: "/").last ?? "") else {
                throw .invalidField("message_id", "message_id must be a message's id or name.")
            }
            query.messageID = id
        }
        guard let wait = Int64(request.queryValue("wait_ms") ?? "0"),
            (0...Self.longestWaitMilliseconds).contains(wait)
        else {
            throw .invalidField("wait_ms", "wait_ms must be from 0 to \(Self.longestWaitMilliseconds).")
        }
        let entries = await emulator.settledEntries(query, waitMilliseconds: wait)
        let tokens = emulator.service.tokens
        return [
            "messages": .array(entries.map { $0.json { tokens.token(of: $0) } }),
            "upstream": emulator.journal.upstreams.listing(query.target),
        ]
    }
}

extension GoogleError {
    fileprivate static let notFromThisMachine = GoogleError(
        .permissionDenied, "The emulator's own API answers to this machine only.")
}
