import EventLoop
import Glibc
import JSON
import Transport

extension BenchLoad {
    /// Messages of many senders to one receiver: of devices to their app server, or of users of an XMPP server to
    /// another one. Starts with a line of the standard input, after it has printed one.
    static let relay = BenchLoad(
        name: "relay",
        summary: "sends through a server. --protocol mcs|xmpp --to HOST:PORT --app-server HOST:PORT --ca FILE "
            + "--senders N --messages N --window N (of each sender) --bytes N (of text) --devices FILE --sender-id N "
            + "--server-key KEY"
    ) { arguments in
        let loops = try EventLoopGroup(count: 1)
        let relay = try Relay(arguments, on: loops.next())
        try await relay.connect()
        BenchOutput.write([:])
        _ = readLine()
        let watch = Stopwatch()
        let bytes = try await relay.run()
        var result = watch.report(relay.total)
        result["bytes"] = .integer(Int64(bytes))
        BenchOutput.write(result)
        _ = readLine()
        relay.end()
        loops.shutDown()
        return [:]
    }
}

/// `@unchecked Sendable`: what changes is touched on the loop's thread only.
private final class Relay: @unchecked Sendable {
    let total: Int
    private let loop: EventLoop
    private let senders: ClientCrowd
    private let receivers: ClientCrowd
    private let dialects: [any ClientDialect]
    private let receiver: any ClientDialect
    private let window: Int
    private let bytes: Int
    private var sent = 0

    init(_ arguments: BenchArguments, on loop: EventLoop) throws {
        self.loop = loop
        total = try arguments.count("messages", default: 10_000)
        window = try arguments.count("window", default: 4)
        bytes = try arguments.count("bytes", default: 200)
        let trust = TLSClientContext.Trust.authorities(pem: try TextFile.read(try arguments.text("ca")))
        let tls = try TLSClientContext(trust: trust)
        senders = ClientCrowd(loop: loop, address: try arguments.address("to"), tls: tls)
        receivers = ClientCrowd(loop: loop, address: try arguments.address("app-server"), tls: tls)
        let count = try arguments.count("senders", default: 100)
        switch try arguments.text("protocol") {
        case "mcs":
            let sender = try arguments.text("sender-id")
            let ids = String(decoding: try TextFile.read(try arguments.text("devices")), as: UTF8.self)
                .split(separator: "\n")
            dialects = ids.prefix(count).map { DeviceDialect(androidID: UInt64($0) ?? 0, senderID: sender) }
            receiver = XMPPDialect(
                domain: "gcm.googleapis.com", user: sender + "@gcm.googleapis.com",
                password: try arguments.text("server-key"))
        case "xmpp":
            dialects = (0..<count).map {
                XMPPDialect(domain: "localhost", user: "user\($0)", password: "secret", peer: "app@localhost/bench")
            }
            receiver = XMPPDialect(domain: "localhost", user: "app", password: "secret")
        default: throw BenchFailure.usage("--protocol must be mcs or xmpp.")
        }
    }

    func connect() async throws {
        try await receivers.connect([receiver])
        try await senders.connect(dialects)
    }

    /// - Returns: Bytes that the receiver got.
    func run() async throws -> Int {
        receivers.onNames = { [self] names in
            for name in names {
                guard let sender = Int(name.split(separator: "-")[0]) else { continue }
                sendNext(from: sender)
            }
        }
        try await receivers.expect(total)
        _ = loop.execute { [self] in
            for sender in dialects.indices {
                for _ in 0..<window { sendNext(from: sender) }
            }
        }
        _ = try await receivers.finish()
        return receivers.receivedBytes
    }

    private func sendNext(from sender: Int) {
        guard sent < total else { return }
        sent += 1
        senders.send("\(sender)-\(sent)", bytes: bytes, from: sender)
    }

    func end() {
        senders.end()
        receivers.end()
    }
}
