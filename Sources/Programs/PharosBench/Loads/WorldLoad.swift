import Glibc
import JSON
import PushCore
import PushModel
import SQLiteStore

extension BenchLoad {
    /// Prepares a data directory for `pharos serve`.
    static let world = BenchLoad(
        name: "world",
        summary: "a project with devices. --data-dir DIR --devices N --kind classic|fid|waiting|channel "
            + "--token-uri URL --print N (devices to list) --topic NAME (which all join)"
    ) { arguments in
        let world = try await BenchWorld(directory: try arguments.text("data-dir"))
        guard let kind = BenchWorld.DeviceKind(rawValue: arguments.text("kind", default: "classic")) else {
            throw BenchFailure.usage("--kind must be classic, fid, waiting or channel.")
        }
        let watch = Stopwatch()
        let devices = try await world.register(try arguments.count("devices", default: 1000), kind: kind)
        let registering = watch.report(devices.count)
        try await world.join(arguments.text("topic", default: ""), devices.map(\.id))
        let account = try await world.makeAccount(
            tokenURI: arguments.text("token-uri", default: "http://127.0.0.1/token"))
        let listed = devices.prefix(try arguments.count("print", default: 1000))
        let result: JSONObject = [
            "project": .string(world.project.id.text), "access_token": .string(account.accessToken),
            "key_file": .string(String(decoding: account.keyFile, as: UTF8.self)),
            "tokens": .array(listed.map { .string(kind == .fid ? $0.fid : world.tokens.token(of: $0)) }),
            "apns_tokens": .array(listed.compactMap { $0.apnsToken.map { .string($0) } }),
            "registering": .object(registering), "sender_id": .string(world.project.number.description),
            "android_ids": .array(listed.map { .string(String($0.androidID)) }),
            "server_key": .string(account.serverKey),
        ]
        world.store.close()
        return result
    }
}
