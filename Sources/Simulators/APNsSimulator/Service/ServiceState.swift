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
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (place, byte) in Hex.encode(bigEndianBytes(high) + bigEndianBytes(low)).utf8.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bigEndianBytes(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
