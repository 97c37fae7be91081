import APNsSimulator
import DeviceSimulator
import GoogleAPI
import HTTPSemantics
import JSON
import PushCore
import PushModel
import SendAPI
import Timekeeping

/// `/emulator/v1/…`: virtual iPhones, what happened to messages, faults and the clock, for tests of other people's code.
/// Only this machine may call it.
struct EmulatorRoutes: Sendable {
    static let root = "/emulator/v1"
    private static let longestWaitMilliseconds: Int64 = 60_000

    let emulator: Emulator

    var router: Router {
        var router = Router()
        add(&router, "POST", "devices", startDevices)
        add(&router, "GET", "devices", listDevices)
        for verb in ["foreground", "background", "offline", "online", "tap", "terminate", "uninstall"] {
            add(&router, "POST", "devices/{device}:\(verb)") { (request) async throws(GoogleError) in
                try await change(verb, request)
            }
        }
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

    // MARK: Devices

    private func phone(_ request: RoutedRequest) throws(GoogleError) -> VirtualIPhone {
        guard let phone = emulator.rack.phone(request[parameter: "device"]) else { throw .unknownDevice }
        return phone
    }

    private func listDevices(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        ["devices": .array(emulator.rack.phones.map(\.summary))]
    }

    private func showDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        try phone(request).summary
    }

    private func removeDevice(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        guard await emulator.rack.remove(request[parameter: "device"]) else { throw .unknownDevice }
        return [:]
    }

    private func startDevices(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let body = try JSONBody.object(of: request.request)
        guard let mode = AppPackage.Mode(rawValue: body["mode"]?.string ?? "classic") else {
            throw .invalidField("mode", "mode must be classic or fid.")
        }
        let count = body["count"]?.int64 ?? 1
        let room = Int64(PhoneRack.capacity - emulator.rack.phones.count)
        guard count >= 1, count <= room else {
            throw .invalidField("count", "count must be from 1 to \(room): there is room for \(PhoneRack.capacity).")
        }
        do {
            let started = try await emulator.rack.start(
                count: Int(count), package: try emulator.package(mode: mode),
                foreground: body["foreground"]?.bool ?? true)
            return ["devices": .array(started.map { Self.json($0.phone, $0.identity) })]
        } catch let error as GoogleError {
            throw error
        } catch {
            throw GoogleError(.internal, "The virtual iPhone did not register: \(error).")
        }
    }

    private static func json(_ phone: VirtualIPhone, _ identity: VirtualIPhone.Identity) -> JSONValue {
        [
            "device": .string(phone.name),
            "fid": .string(identity.fid),
            "token": identity.token.map { .string($0) } ?? .null,
            "apns_token": .string(identity.apnsToken),
            "android_id": identity.androidID.map { .integer($0) } ?? .null,
            "security_token": identity.securityToken.map { .integer($0) } ?? .null,
            "fis_auth": identity.authToken.map { .string($0) } ?? .null,
            "fis_refresh": identity.refreshToken.map { .string($0) } ?? .null,
        ]
    }

    private func change(_ verb: String, _ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let phone = try phone(request)
        let body = try JSONBody.object(of: request.request)
        switch verb {
        case "foreground": await phone.moveToForeground()
        case "background": await phone.moveToBackground()
        case "offline": await phone.setOnline(body["offline"]?.bool == false)
        case "online": await phone.setOnline(true)
        case "terminate": await phone.terminate(byUser: body["by_user"]?.bool ?? true)
        case "uninstall": await phone.uninstall()
        default: try await tap(phone, body["message_id"]?.string)
        }
        return phone.summary
    }

    private func tap(_ phone: VirtualIPhone, _ notification: String?) async throws(GoogleError) {
        do {
            guard try await phone.tap(notification) else {
                throw GoogleError(.notFound, "There is no such notification on the phone.")
            }
        } catch let error as GoogleError {
            throw error
        } catch {
            throw GoogleError(.internal, "The app did not start: \(error).")
        }
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
        let wait = request.queryValue("wait_ms").flatMap { Int64($0) } ?? 0
        guard (0...Self.longestWaitMilliseconds).contains(wait) else {
            throw .invalidField("wait_ms", "wait_ms must be from 0 to \(Self.longestWaitMilliseconds).")
        }
        let entries = await emulator.settledEntries(query, waitMilliseconds: wait)
        let tokens = emulator.service.tokens
        return ["messages": .array(entries.map { $0.json { tokens.token(of: $0) } })]
    }

    // MARK: Faults and the clock

    private func addFault(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        var body = try JSONBody.object(of: request.request)
        switch body["door"]?.string {
        case "apns":
            if let target = body["target"]?.string {
                body["target"] = .string(emulator.rack.apnsToken(named: target) ?? target)
            }
            do {
                _ = try emulator.simulator.addFaults(emulator: body)
            } catch {
                throw .invalidField("faults", "\(error)")
            }
        case "send":
            emulator.sendFaults.add(try sendFault(body))
        default:
            throw .invalidField("door", "door must be apns or send.")
        }
        return [:]
    }

    private func resetFaults(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        emulator.resetFaults()
        return [:]
    }

    private func showClock(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue { emulator.clockJSON }

    private func reset(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        await emulator.reset()
        return [:]
    }

    private func sendFault(_ body: JSONObject) throws(GoogleError) -> SendFaultScript.Order {
        let delay = body["delay_ms"]?.int64 ?? 0
        let count = body["count"]?.int64 ?? 1
        guard (0...Self.longestWaitMilliseconds).contains(delay), (1...1_000_000).contains(count) else {
            throw .invalidField("count", "count and delay_ms are out of range.")
        }
        let status = body["status"]?.int64.flatMap { Int(exactly: $0) }
        let reason = body["reason"]?.string ?? ""
        let error = status == nil && reason.isEmpty ? nil : SendError.scripted(status: status ?? 0, errorCode: reason)
        guard error != nil || delay > 0 else {
            throw .invalidField("status", "status must be 400, 401, 403, 404, 429, 500 or 503, or reason an FCM code.")
        }
        return SendFaultScript.Order(
            target: body["target"]?.string, fault: .init(delayMilliseconds: delay, error: error),
            remaining: Int(count))
    }

    private func moveClock(_ request: RoutedRequest) async throws(GoogleError) -> JSONValue {
        let body = try JSONBody.object(of: request.request)
        guard let seconds = body["advance_seconds"]?.int64, abs(seconds) <= 100 * 366 * 86_400 else {
            throw .invalidField("advance_seconds", "advance_seconds must be a whole number of seconds.")
        }
        emulator.clock.advance(seconds: seconds)
        return emulator.clockJSON
    }
}

extension RoutedRequest {
    /// Whether the caller is on this machine.
    fileprivate var isFromThisMachine: Bool {
        let peer = request.peerAddress
        return peer.hasPrefix("127.") || peer == "::1" || peer.hasPrefix("::ffff:127.")
    }
}

extension GoogleError {
    fileprivate static let unknownDevice = GoogleError(
        .notFound, "There is no such device. See GET \(EmulatorRoutes.root)/devices.")
    fileprivate static let notFromThisMachine = GoogleError(
        .permissionDenied, "The emulator's own API answers to this machine only.")
}

extension VirtualIPhone {
    /// The phone as a listing shows it.
    fileprivate var summary: JSONValue {
        [
            "device": .string(name),
            "bundle_id": .string(package.bundleID),
            "mode": .string(package.mode.rawValue),
            "fid": registeredFID.map { .string($0) } ?? .null,
            "token": package.mode == .classic ? registered.map { .string($0) } ?? .null : .null,
            "apns_token": .string(apnsToken),
            "running": .bool(isRunning),
            "foreground": .bool(isForeground),
            "online": .bool(isOnline),
            "badge": .integer(badge),
            "notifications": .array(
                shownNotifications.map { notification in
                    [
                        "identifier": .string(notification.identifier),
                        "title": notification.title.map { .string($0) } ?? .null,
                        "body": notification.body.map { .string($0) } ?? .null,
                        "message_id": notification.payload["gcm.message_id"] ?? .null,
                    ]
                }),
        ]
    }
}
