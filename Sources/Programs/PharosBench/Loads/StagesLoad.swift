import JSON
import OAuthAPI
import PushCore
import PushModel
import SQLiteStore
import SendAPI

extension BenchLoad {
    /// What each stage of a send costs by itself, without sockets and disk.
    static let stages = BenchLoad(
        name: "stages", summary: "microseconds for each stage of a send. --data-dir DIR --rounds N"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        let devices = try await world.register(1, kind: .classic)
        guard let device = devices.first else { throw BenchFailure.failed("no device") }
        let stages = try SendStages(world: world, device: device)
        let result = try stages.measure(rounds: try arguments.count("rounds", default: 20_000))
        world.store.close()
        return result
    }
}

private struct SendStages {
    let world: BenchWorld
    let device: Registration
    let token: String
    let body: [UInt8]
    let request: SendRequest
    let message: ValidatedMessage

    init(world: BenchWorld, device: Registration) throws {
        self.world = world
        self.device = device
        token = world.tokens.token(of: device)
        body = Self.body(for: token)
        request = try SendRequestDecoder().decode(body, project: world.project.id)
        var message = world.message(1, to: device)
        message.message = request.message
        self.message = message
    }

    func measure(rounds: Int) throws -> JSONObject {
        let decoder = SendRequestDecoder()
        let validator = MessageValidator(limits: MessageLimits())
        let translator = ApplePushTranslator()
        let archive = MessageArchive.encode(request.message, target: request.target)
        guard case .apple(let address?) = device.channel else { throw BenchFailure.failed("no address") }
        let template = try translator.template(of: message)
        return [
            "body_bytes": .integer(Int64(body.count)),
            "json_values_us": try time(rounds) { _ = try JSONValue(parsing: body) },
            "decode_us": try time(rounds) { _ = try decoder.decode(body, project: world.project.id) },
            "validate_us": try time(rounds) { try validator.validate(request.message, to: request.target) },
            "token_us": time(rounds) { _ = world.tokens.decode(token) },
            "archive_us": time(rounds) { _ = MessageArchive.encode(request.message, target: request.target) },
            "unarchive_us": time(rounds) { _ = MessageArchive.decode(archive) },
            "check_us": try time(rounds) { try translator.check(message, for: device) },
            "template_us": try time(rounds) { _ = try translator.template(of: message) },
            "push_us": try time(rounds) {
                _ = try template.push(to: device, at: address, pushID: "eabeae54-14a8-41e5-b60b-1697f925ec7b")
            },
            "look_up_us": try time(rounds) { _ = try world.store.registration(device.id) },
        ]
    }

    /// Processor time, the best of five rounds.
    private func time(_ rounds: Int, _ stage: () throws -> Void) rethrows -> JSONValue {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = Stopwatch.threadMicroseconds()
            for _ in 0..<rounds { try stage() }
            best = min(best, Stopwatch.threadMicroseconds() - start)
        }
        return .rounded(best / Double(max(rounds, 1)))
    }

    /// A body of about 1,000 bytes, with every part that most senders use.
    private static func body(for token: String) -> [UInt8] {
        let body = """
            {"message": {"token": "\(token)",
              "notification": {"title": "Goal!", "body": "Three to one after eighty minutes: Lozano with a header."},
              "data": {"score": "3:1", "match": "2026-06-11-mex-rsa", "minute": "80", "scorer": "H. Lozano",
                "link": "https://example.com/matches/2026-06-11-mex-rsa"},
              "apns": {"headers": {"apns-priority": "10", "apns-collapse-id": "match-42"},
                "payload": {"aps": {"sound": "default", "badge": 3, "category": "MATCH", "thread-id": "mex-rsa",
                  "mutable-content": 1}, "stadium": {"name": "Azteca", "seats": 87523}},
                "fcm_options": {"analytics_label": "goals", "image": "https://example.com/i/42.png"}},
              "android": {"priority": "high", "ttl": "3600s", "collapse_key": "match-42",
                "notification": {"channel_id": "goals", "icon": "ball", "color": "#00aa55"}}}}
            """
        return Array(body.utf8)
    }
}
