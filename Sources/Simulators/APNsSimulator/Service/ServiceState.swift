import Bytes
import Crypto
import Timekeeping

/// Everything that the service knows, as one value behind one lock.
struct ServiceState {
    var judge = APNsRequestJudge()
    var keys = ProviderKeyRegistry()
    /// What is known of client certificates beyond what is written in them, by SHA-256 fingerprint.
    var certificates: [String: ClientCertificate] = [:]
    var devices: DeviceDirectory
    var channels: [SimulatedEnvironment: ChannelDirectory] = [:]
    var script: FaultScript
    var log: RequestLog
    var listeners: [String: [Int: AsyncStream<DeliveredPush>.Continuation]] = [:]
    /// Connections since the start or the last reset, refused ones included.
    var acceptedConnections = 0
    private var nextListener = 1

    init(options: APNsSimulatorOptions) {
        judge.rules = options.rules
        devices = DeviceDirectory(rules: options.storage)
        script = FaultScript(seed: options.storage.seed)
        log = RequestLog(capacity: options.logCapacity)
    }

    /// What is known of a client certificate; `nil` when it is not one for pushes.
    func certificate(der: [UInt8]) -> ClientCertificate? {
        guard let certificate = try? X509Certificate(der: der) else { return nil }
        if let known = certificates[certificate.fingerprint] { return known }
        let topics = certificate.applePushTopics.map(\.name)
        guard !topics.isEmpty else { return nil }
        return ClientCertificate(topics: topics, userID: certificate.subject.userID)
    }

    /// Tells listeners of new deliveries. Under the lock, so that each sees them in order.
    mutating func dispatchDeliveries() {
        for delivery in devices.undispatched {
            for listener in listeners[delivery.deviceID, default: [:]].values { listener.yield(delivery) }
        }
        devices.undispatched = []
    }

    /// Adds a listener and gives it the remembered deliveries after a place.
    mutating func listen(
        toDevice id: String, after sequence: Int, _ listener: AsyncStream<DeliveredPush>.Continuation
    ) -> Int {
        for delivery in devices.devices[id]?.deliveries ?? [] where delivery.sequence > sequence {
            listener.yield(delivery)
        }
        nextListener += 1
        listeners[id, default: [:]][nextListener] = listener
        return nextListener
    }

    /// A fresh lower-case UUID (version 4, RFC 9562).
    static func newUUID() -> String {
        var random = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(bytes))
        let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return cuts.map { String(digits[$0]) }.joined(separator: "-")
    }
}
